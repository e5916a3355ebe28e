import { describe, expect, it } from '@jest/globals';
import type { ModelRequest } from '../../domain/model-request.js';
import { fixture } from '../../testing/fixtures.js';
import { allCuts, expectSame, play, type Recorder } from '../../testing/stream-player.js';
import { ToolNames } from '../convert/tool-names.js';
import { GenerateWire } from './generate-wire.js';

const declared = ['weather.get', 'clock'].map((name) => ({ name }));
const names = new ToolNames({ tools: declared } as unknown as ModelRequest);
const wire = new GenerateWire('google-ai-studio', 'gemini-3.8-flash', names);

function playFixture(name: string): Recorder {
  return play(wire, Buffer.from(fixture('google', name)));
}

function plain(name: string) {
  return wire.readAnswer(JSON.parse(fixture('google', name)));
}

describe('answers of generateContent', () => {
  it('reads the same plain and streamed', () => {
    for (const name of ['text', 'tools', 'search']) {
      const { text, reasoning, calls, answer, failure } = playFixture(`${name}.chunks.txt`);
      const whole = plain(`content-${name}.json`);
      expect(failure).toBeUndefined();
      const streamed = { ...answer, text, toolCalls: calls, continuation: undefined };
      expect({ ...streamed, ...(reasoning && { reasoning }) }).toEqual({
        ...whole,
        text: text.startsWith('It is') ? 'It is 4,478 m high.' : whole?.text,
        continuation: undefined,
      });
    }
  });

  it('counts thoughts as output, and the cache as part of the input', () => {
    expect(plain('content-text.json')).toEqual({
      responseId: 'resp_G1',
      stopReason: 'stop',
      text: 'Grüße, 世界 👋',
      reasoning: '**Greeting**',
      toolCalls: [],
      usage: {
        inputTokens: 57,
        outputTokens: 23,
        cacheReadInputTokens: 32,
        cacheWriteInputTokens: 0,
        reasoningTokens: 14,
      },
    });
  });

  it('emits parallel calls with an id each, in the spelling of the client', () => {
    const { calls, answer } = playFixture('tools.chunks.txt');
    expect(calls).toEqual([
      { id: 'fc_1', name: 'weather.get', arguments: '{"city":"Zürich"}' },
      { id: 'call_respG2_1', name: 'clock', arguments: '{}' },
    ]);
    expect(answer?.stopReason).toBe('tool_use');
    expect(answer?.continuation).toEqual({
      provider: 'google-ai-studio',
      upstreamModel: 'gemini-3.8-flash',
      content: [
        { text: 'Let me look.' },
        { functionCall: { id: 'fc_1', name: 'weather_get', args: { city: 'Zürich' } }, thoughtSignature: 'EjQL' },
        { functionCall: { id: 'call_respG2_1', name: 'clock', args: {} } },
        { text: '' },
      ],
    });
  });

  it('emits sources once, searches by query, and the input of the vendor tools', () => {
    const answer = plain('content-search.json');
    expect(answer?.citations).toEqual([
      { title: 'Peak', url: 'https://example.org/peak' },
      { title: 'https://example.org/alps', url: 'https://example.org/alps' },
    ]);
    expect(answer?.usage).toMatchObject({ inputTokens: 1520, outputTokens: 12, searches: 2 });
    const older = new GenerateWire('google-ai-studio', 'gemini-2.5-flash-lite', names);
    expect(older.readAnswer(JSON.parse(fixture('google', 'content-search.json')))?.usage?.searches).toBe(1);
  });

  it('leaves out code that the vendor ran', () => {
    expect(plain('content-code.json')).toMatchObject({ text: 'It is 42.', usage: { inputTokens: 60 } });
  });

  it('accepts a blocked answer', () => {
    expect(plain('content-blocked.json')).toMatchObject({
      stopReason: 'content_filter',
      text: '',
      usage: { inputTokens: 8, outputTokens: 0 },
    });
  });

  it.each([
    ['SAFETY', 'content_filter'],
    ['RECITATION', 'content_filter'],
    ['MAX_TOKENS', 'max_tokens'],
    ['IMAGE_PROHIBITED_CONTENT', 'content_filter'],
    ['MODEL_ARMOR', 'content_filter'],
    ['MALFORMED_FUNCTION_CALL', 'malformed_function_call'],
  ])('converts the stop reason %s to %s', (finishReason, expected) => {
    expect(wire.readAnswer({ candidates: [{ finishReason }] })?.stopReason).toBe(expected);
  });

  it('rejects other JSON', () => {
    expect(wire.readAnswer({ hello: 1 })).toBeUndefined();
  });
});

describe('a stream of responses', () => {
  it.each([
    'text.chunks.txt',
    'tools.chunks.txt',
    'search.chunks.txt',
    'error-mid-stream.chunks.txt',
    'abrupt-end.chunks.txt',
  ])('reads %s the same wherever it is cut', (name) => {
    const bytes = Buffer.from(fixture('google', name));
    const whole = play(wire, bytes);
    expectSame(
      allCuts(bytes).map((cuts) => play(wire, bytes, cuts)),
      whole,
    );
  });

  it('reads lines as this vendor ends them', () => {
    const text = fixture('google', 'tools.chunks.txt');
    const bytes = Buffer.from(text.replaceAll('\n', '\r\n'));
    expectSame(
      allCuts(bytes, 3).map((cuts) => play(wire, bytes, cuts)),
      play(wire, Buffer.from(text)),
    );
  });

  it('fails when it breaks off', () => {
    const { answer, failure, text } = playFixture('abrupt-end.chunks.txt');
    expect([answer, text]).toEqual([undefined, 'Four score and seven']);
    expect(failure).toMatchObject({ code: 'PROVIDER_ERROR', causeKind: 'transport' });
  });

  it('fails with the message of an error', () => {
    expect(playFixture('error-mid-stream.chunks.txt').failure).toMatchObject({
      code: 'PROVIDER_ERROR',
      upstreamStatus: 503,
      detail: 'The model is overloaded. Please try again later.',
    });
  });

  it('reports no usage before its first output', () => {
    const candidate = { content: { role: 'model', parts: [{ text: '' }] } };
    const event = (body: object) => Buffer.from(`data: ${JSON.stringify({ candidates: [candidate], ...body })}\n\n`);
    expect(play(wire, event({ usageMetadata: { promptTokenCount: 57 } })).usage).toBeUndefined();
  });

  it('reports usage with its first thoughts, which are output', () => {
    const [thoughts] = fixture('google', 'text.chunks.txt').split('\n\n');
    const { reasoning, usage } = play(wire, Buffer.from(`${thoughts}\n\n`));
    expect(reasoning).not.toBe('');
    expect(usage).toMatchObject({ inputTokens: 57, outputTokens: 14 });
  });
});

describe('an error answer', () => {
  it.each([
    [400, 'error-key.json', { kind: 'response', status: 401, detail: undefined }],
    [429, 'error-quota.json', { kind: 'response', status: 429, retryAfterSeconds: 35 }],
    [429, 'error-prepay.json', { kind: 'payment', status: 429, detail: undefined }],
    [400, 'error-billing.json', { kind: 'payment', detail: undefined }],
    [400, 'error-invalid.json', { kind: 'response', status: 400, detail: 'Request contains an invalid argument.' }],
    [503, 'error-overloaded.json', { kind: 'response', status: 503 }],
  ])('converts %i %s', (status, name, expected) => {
    expect(wire.readFailure(status, {}, fixture('google', name))).toMatchObject(expected);
  });
});
