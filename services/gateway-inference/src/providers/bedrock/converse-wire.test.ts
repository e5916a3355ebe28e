import { beforeAll, describe, expect, it } from '@jest/globals';
import type { ModelRequest } from '../../domain/model-request.js';
import { type AmazonEvent, toAmazonFrames } from '../../testing/amazon-frames.js';
import { fixture } from '../../testing/fixtures.js';
import { allCuts, expectSame, play, type Recorder } from '../../testing/stream-player.js';
import { ToolNames } from '../convert/tool-names.js';
import { loadAmazonFrames } from '../transport/amazon-frames.js';
import { ConverseWire } from './converse-wire.js';

const declared = ['weather.get', 'clock'].map((name) => ({ name }));
const names = new ToolNames({ tools: declared } as unknown as ModelRequest);
const upstreamModel = 'us.amazon.nova-2-lite-v1:0';
const wire = new ConverseWire({ provider: 'openai', upstreamModel, names });

beforeAll(loadAmazonFrames);

function events(name: string): AmazonEvent[] {
  return JSON.parse(fixture('bedrock', `${name}.events.json`)) as AmazonEvent[];
}

function playEvents(list: readonly AmazonEvent[]): Recorder {
  return play(wire, toAmazonFrames(list));
}

function plain(name: string) {
  return wire.readAnswer(JSON.parse(fixture('bedrock', name)));
}

describe('answers of Converse', () => {
  it.each(['text', 'tools'])('reads the same plain and streamed: %s', (name) => {
    const { text, reasoning, calls, answer, failure } = playEvents(events(name));
    expect(failure).toBeUndefined();
    const whole = plain(`converse-${name}.json`);
    expect({ ...answer, text, ...(reasoning && { reasoning }), toolCalls: calls }).toEqual(whole);
  });

  it('counts what was read from and written to the cache as input', () => {
    expect(plain('converse-text.json')).toEqual({
      responseId: '',
      stopReason: 'stop',
      text: 'Grüße, 世界 👋',
      reasoning: 'A greeting.',
      toolCalls: [],
      usage: {
        inputTokens: 1097,
        outputTokens: 23,
        cacheReadInputTokens: 1024,
        cacheWriteInputTokens: 48,
        cacheWriteHourTokens: 16,
        reasoningTokens: 0,
      },
    });
  });

  it("emits calls in the client's spelling, and keeps the message in the vendor's form", () => {
    const { calls, answer } = playEvents(events('tools'));
    expect(calls).toEqual([
      { id: 'tooluse_kZJMlvQmRJ6eAyJE5GIl7Q', name: 'weather.get', arguments: '{"city":"Zürich"}' },
      { id: 'tooluse_b9OC2pQnSOmMSLtTGMmT8w', name: 'clock', arguments: '{}' },
    ]);
    expect(answer?.stopReason).toBe('tool_use');
    expect(answer?.continuation).toMatchObject({
      provider: 'openai',
      upstreamModel,
      content: { blocks: [{ text: 'Let me look.' }, { toolUse: { name: 'weather_get' } }, { toolUse: { input: {} } }] },
    });
  });

  it('reads a stream the same wherever its bytes are cut', () => {
    const bytes = toAmazonFrames(events('tools'));
    const whole = play(wire, bytes);
    expectSame(
      allCuts(bytes, 7).map((cuts) => play(wire, bytes, cuts)),
      whole,
    );
  });

  it.each([
    ['content_filtered', 'content_filter'],
    ['guardrail_intervened', 'content_filter'],
    ['model_context_window_exceeded', 'max_tokens'],
    ['malformed_tool_use', 'malformed_function_call'],
  ])('converts the reason %s', (stopReason, expected) => {
    const list = events('text').map(
      ([name, payload]): AmazonEvent => (name === 'messageStop' ? [name, { stopReason }] : [name, payload]),
    );
    expect(playEvents(list).answer?.stopReason).toBe(expected);
  });

  it('reports a tier that is not the usual one', () => {
    const body = { ...JSON.parse(fixture('bedrock', 'converse-text.json')), serviceTier: { type: 'priority' } };
    expect(wire.readAnswer(body)?.usage?.serviceTier).toBe('priority');
  });
});

describe('failures of Converse', () => {
  it.each([
    ['throttlingException', 429, 'Too many tokens'],
    ['serviceUnavailableException', 503, 'Bedrock is unable to process your request.'],
    ['validationException', 400, 'Input is too long for requested model.'],
    ['internalServerException', 500, 'The system encountered an unexpected error'],
  ])('ends a stream at %s', (name, status, message) => {
    const { answer, failure } = playEvents([...events('text').slice(0, 3), [name, { message }]]);
    expect(answer).toBeUndefined();
    expect(failure).toMatchObject({ code: 'PROVIDER_ERROR' });
    expect(failure?.upstreamStatus).toBe(name === 'validationException' ? 400 : status);
  });

  it("takes the status of the model's own error", () => {
    const body = { message: 'The model failed', originalStatusCode: 503, originalMessage: 'busy' };
    expect(playEvents([['modelStreamErrorException', body]]).failure?.upstreamStatus).toBe(503);
  });

  it('reads an error that has no payload', () => {
    expect(playEvents([['error:InternalError', { message: 'An internal server error' }]]).failure).toMatchObject({
      code: 'PROVIDER_ERROR',
      upstreamStatus: 500,
    });
  });

  it.each([
    [400, 'ValidationException:http://internal.amazon.com/coral/com.amazon.bedrock/', 'The model ID is wrong', 400],
    [400, 'ServiceQuotaExceededException', 'quota', 429],
    [424, 'ModelErrorException', 'failed', 502],
    [403, 'AccessDeniedException', "You don't have access to the model", 403],
  ])('converts status %i of %s', (status, type, message, expected) => {
    const headers = { 'x-amzn-errortype': type, 'x-amzn-requestid': 'amz-1' };
    const failure = wire.readFailure(status, headers, JSON.stringify({ message }));
    expect(failure).toMatchObject({ kind: 'response', status: expected, providerRequestId: 'amz-1' });
    expect(failure.detail).toBe(expected === 403 ? undefined : message);
  });

  it('names an account that cannot pay', () => {
    const message =
      'Model access is denied due to INVALID_PAYMENT_INSTRUMENT: a valid payment instrument must be provided.';
    const headers = { 'x-amzn-errortype': 'AccessDeniedException' };
    expect(wire.readFailure(403, headers, JSON.stringify({ message }))).toMatchObject({ kind: 'payment' });
  });

  it('ends a stream that breaks off before its reason', () => {
    expect(playEvents(events('text').slice(0, 7)).failure).toMatchObject({
      code: 'PROVIDER_ERROR',
      causeKind: 'transport',
    });
  });

  it('keeps an answer whose usage does not arrive', () => {
    expect(playEvents(events('text').slice(0, 9)).answer).toMatchObject({ stopReason: 'stop', usage: undefined });
  });

  it.each([
    ['a wrong checksum', (bytes: Buffer) => bytes.fill(0, 40, 44)],
    ['a length below that of a frame', (bytes: Buffer) => Buffer.concat([Buffer.from([0, 0, 0, 1]), bytes])],
    ['a length above the bound', (bytes: Buffer) => Buffer.concat([Buffer.from([0x7f, 0, 0, 1]), bytes])],
  ])('ends a stream with %s', (_, spoil) => {
    const { failure, answer } = play(wire, spoil(toAmazonFrames(events('text'))));
    expect(answer).toBeUndefined();
    expect(failure).toMatchObject({ code: 'PROVIDER_ERROR', causeKind: 'invalid_response' });
  });
});
