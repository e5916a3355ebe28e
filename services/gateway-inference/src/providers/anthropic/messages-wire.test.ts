import { describe, expect, it } from '@jest/globals';
import type { ModelRequest } from '../../domain/model-request.js';
import { fixture } from '../../testing/fixtures.js';
import { allCuts, expectSame, play, type Recorder } from '../../testing/stream-player.js';
import { ToolNames } from '../convert/tool-names.js';
import { MessagesWire } from './messages-wire.js';

const declared = ['weather.get', 'clock'].map((name) => ({ name }));
const names = new ToolNames({ tools: declared } as unknown as ModelRequest);
const wire = new MessagesWire('anthropic', { upstreamModel: 'claude-sonnet-5-5', names });

function playFixture(name: string, cuts: number[] = []): Recorder {
  return play(wire, Buffer.from(fixture('anthropic', name)), cuts);
}

function plain(name: string) {
  const text = fixture('anthropic', name);
  return wire.readAnswer(JSON.parse(text));
}

describe('a streamed message', () => {
  it('emits the same as a plain one', () => {
    for (const name of ['text', 'tools', 'search', 'refusal']) {
      const { text, calls, answer, failure } = playFixture(`${name}.chunks.txt`);
      const whole = plain(`message-${name}.json`);
      expect(failure).toBeUndefined();
      expect([text, calls.map(({ name: called }) => called)]).toEqual([
        whole?.text,
        whole?.toolCalls.map(({ name: called }) => called),
      ]);
      const { text: _t, toolCalls: _c, citations: _s, continuation: _o, ...rest } = answer!;
      expect(whole).toMatchObject(rest);
    }
  });

  it('adds cache reads and writes to the input', () => {
    expect(playFixture('text.chunks.txt').answer).toMatchObject({
      responseId: 'msg_01T1',
      stopReason: 'stop',
      usage: {
        inputTokens: 60,
        outputTokens: 25,
        cacheReadInputTokens: 30,
        cacheWriteInputTokens: 20,
        reasoningTokens: 14,
      },
    });
  });

  it('emits calls in the spelling of the client, also without arguments', () => {
    const { calls, answer } = playFixture('tools.chunks.txt');
    expect(calls).toEqual([
      { id: 'toolu_01A', name: 'weather.get', arguments: '{"city": "Zürich"}' },
      { id: 'toolu_01B', name: 'clock', arguments: '{}' },
    ]);
    expect(answer?.stopReason).toBe('tool_use');
  });

  it('keeps the message in its own form for the tool results', () => {
    expect(playFixture('tools.chunks.txt').answer?.continuation).toEqual({
      provider: 'anthropic',
      upstreamModel: 'claude-sonnet-5-5',
      content: {
        blocks: [
          { type: 'thinking', thinking: 'Two tools.', signature: 'EqQBCkYIBxgD' },
          { type: 'text', text: 'Let me look.' },
          { type: 'tool_use', id: 'toolu_01A', name: 'weather_get', input: { city: 'Zürich' } },
          { type: 'tool_use', id: 'toolu_01B', name: 'clock', input: {} },
        ],
      },
    });
  });

  it('emits sources, and the number of searches', () => {
    const { answer } = playFixture('search.chunks.txt');
    expect(answer?.citations).toEqual([{ title: 'Peak', url: 'https://example.org/peak' }]);
    expect(answer?.usage).toMatchObject({ searches: 2, inputTokens: 2000 });
    expect(plain('message-search.json')?.citations).toEqual([
      { title: 'Peak', url: 'https://example.org/peak' },
      { title: 'https://example.org/alps', url: 'https://example.org/alps' },
    ]);
  });

  it.each([
    'text.chunks.txt',
    'tools.chunks.txt',
    'search.chunks.txt',
    'error-mid-stream.chunks.txt',
    'abrupt-end.chunks.txt',
  ])('reads %s the same wherever it is cut', (name) => {
    const bytes = Buffer.from(fixture('anthropic', name));
    const whole = play(wire, bytes);
    expectSame(
      allCuts(bytes).map((cuts) => play(wire, bytes, cuts)),
      whole,
    );
  });

  it('fails when it breaks off', () => {
    const { answer, failure, text } = playFixture('abrupt-end.chunks.txt');
    expect([answer, text]).toEqual([undefined, 'Grüße']);
    expect(failure).toMatchObject({ code: 'PROVIDER_ERROR', causeKind: 'transport', retryable: true });
  });

  it('fails with the message of an error event, and ignores later events', () => {
    const { answer, failure, usage } = playFixture('error-mid-stream.chunks.txt');
    expect(answer).toBeUndefined();
    expect(failure).toMatchObject({ code: 'PROVIDER_ERROR', upstreamStatus: 529, detail: 'Overloaded' });
    expect(usage?.inputTokens).toBe(60);
  });

  it('reports no usage when it failed before its first output', () => {
    const { failure, usage } = playFixture('error-before-output.chunks.txt');
    expect([failure?.upstreamStatus, usage]).toEqual([500, undefined]);
  });

  it('rejects text that is not JSON', () => {
    expect(play(wire, Buffer.from('data: {nope\n\n')).failure).toMatchObject({ causeKind: 'invalid_response' });
  });
});

describe('an error answer', () => {
  it.each([
    [401, 'error-auth.json', { kind: 'response', detail: undefined }],
    [400, 'error-credit.json', { kind: 'payment', detail: undefined }],
    [400, 'error-invalid.json', { kind: 'response', detail: expect.stringContaining('max_tokens') }],
    [429, 'error-rate-limit.json', { kind: 'response', detail: expect.any(String), retryAfterSeconds: 13 }],
    [529, 'error-overloaded.json', { kind: 'response', detail: 'Overloaded' }],
  ])('converts %i %s', (status, name, expected) => {
    const headers = status === 429 ? { 'retry-after': '13', 'request-id': 'req_h' } : { 'request-id': 'req_h' };
    const failure = wire.readFailure(status, headers, fixture('anthropic', name));
    expect(failure).toMatchObject({ ...expected, status, providerRequestId: 'req_h' });
  });

  it('reads the request id from the body if the header is missing', () => {
    const failure = wire.readFailure(529, {}, fixture('anthropic', 'error-overloaded.json'));
    expect(failure.providerRequestId).toBe('req_011CS');
  });
});
