import { describe, expect, it } from '@jest/globals';
import type { ModelRequest } from '../../../domain/model-request.js';
import { fixture } from '../../../testing/fixtures.js';
import { allCuts, expectSame, play, type Recorder } from '../../../testing/stream-player.js';
import { ToolNames } from '../../convert/tool-names.js';
import { ResponsesWire } from './responses-wire.js';

const names = new ToolNames({ tools: ['weather.get', 'clock'].map((name) => ({ name })) } as unknown as ModelRequest);
const wire = new ResponsesWire('openai', 'gpt-6.1-terra', names);

function playFixture(name: string): Recorder {
  return play(wire, Buffer.from(fixture('openai', name)));
}

function plain(name: string, reader = wire) {
  return reader.readAnswer(JSON.parse(fixture('openai', name)));
}

describe('a response', () => {
  it('reads the same plain and streamed', () => {
    for (const name of ['search', 'tools']) {
      const { text, calls, answer, failure } = playFixture(`response-${name}.chunks.txt`);
      expect(failure).toBeUndefined();
      expect({ ...answer, text, toolCalls: calls }).toEqual(plain(`response-${name}.json`));
    }
  });

  it('emits sources, counters, and uses that the vendor charges individually', () => {
    expect(plain('response-search.json')).toEqual({
      responseId: 'resp_1',
      stopReason: 'stop',
      text: 'It is 4,478 m high.',
      toolCalls: [],
      citations: [
        { title: 'Peak', url: 'https://example.org/peak' },
        { title: 'Alps', url: 'https://example.org/alps' },
      ],
      usage: {
        inputTokens: 57,
        outputTokens: 23,
        cacheReadInputTokens: 32,
        cacheWriteInputTokens: 10,
        reasoningTokens: 14,
        searches: 1,
        codeRuns: 1,
      },
    });
  });

  it('counts a response of xAI by its own figure', () => {
    const answer = plain('response-xai.json', new ResponsesWire('xai', 'grok-4.7', names));
    expect(answer?.usage).toMatchObject({ inputTokens: 4000, outputTokens: 120, searches: 3, codeRuns: 1 });
    expect(answer?.citations).toEqual([{ title: '1', url: 'https://x.com/i/status/1' }]);
  });

  it('keeps the items that can be sent back for the tool results', () => {
    const answer = plain('response-tools.json');
    expect(answer?.toolCalls.map(({ id, name }) => [id, name])).toEqual([
      ['call_a1', 'weather.get'],
      ['call_b2', 'clock'],
    ]);
    expect(answer?.continuation?.content).toMatchObject([
      { type: 'reasoning', id: 'rs_1' },
      { call_id: 'call_a1' },
      { call_id: 'call_b2' },
    ]);
  });

  it.each([
    ['response-incomplete.json', 'max_tokens', 'It is'],
    ['response-refusal.json', 'refusal', 'I cannot assist with that.'],
  ])('reads the stop reason of %s as %s', (name, stopReason, text) => {
    expect(plain(name)).toMatchObject({ stopReason, text });
  });

  it('rejects a failed response', () => {
    expect(plain('response-failed.json')).toBeUndefined();
    const failure = wire.readLateFailure(JSON.parse(fixture('openai', 'response-failed.json')), 'up_1');
    expect(failure).toMatchObject({ kind: 'response', status: 500, detail: 'The model failed to answer.' });
  });

  it.each([
    'response-search.chunks.txt',
    'response-tools.chunks.txt',
    'response-failed.chunks.txt',
    'response-abrupt-end.chunks.txt',
  ])('reads %s the same wherever it is cut', (name) => {
    const bytes = Buffer.from(fixture('openai', name));
    const whole = play(wire, bytes);
    expectSame(
      allCuts(bytes, 2).map((cuts) => play(wire, bytes, cuts)),
      whole,
    );
  });

  it.each([
    ['response-failed.chunks.txt', { upstreamStatus: 429, detail: 'Rate limit reached.' }],
    ['response-error.chunks.txt', { upstreamStatus: 500, detail: 'The server had an error.' }],
    ['response-abrupt-end.chunks.txt', { causeKind: 'transport' }],
  ])('does not end %s as a complete answer', (name, expected) => {
    const { answer, failure } = playFixture(name);
    expect(answer).toBeUndefined();
    expect(failure).toMatchObject({ code: 'PROVIDER_ERROR', ...expected });
  });
});
