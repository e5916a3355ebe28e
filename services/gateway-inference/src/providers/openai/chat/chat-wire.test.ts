import { describe, expect, it } from '@jest/globals';
import { fixture } from '../../../testing/fixtures.js';
import { allCuts, expectSame, play as playOn, type Recorder } from '../../../testing/stream-player.js';
import type { ForwardedRequest } from '../../contract/provider.js';
import { ChatWire } from './chat-wire.js';

function play(bytes: Buffer, cuts: number[] = [], forward?: Omit<ForwardedRequest, 'dialect'>): Recorder {
  return playOn(new ChatWire('openai', undefined, forward && { dialect: 'openai-chat', ...forward }), bytes, cuts);
}

function playFixture(name: string, forward?: Omit<ForwardedRequest, 'dialect'>): Recorder {
  return play(Buffer.from(fixture('openai', name)), [], forward);
}

function toChunk(delta: object, reason: unknown = null): object {
  return { id: 'r1', model: 'm', choices: [{ index: 0, delta, finish_reason: reason }] };
}

/** Plays chunks, then `[DONE]`. */
function playChunks(chunks: readonly object[], forward?: Omit<ForwardedRequest, 'dialect'>): Recorder {
  const lines = [...chunks.map((chunk) => JSON.stringify(chunk)), '[DONE]'];
  return play(Buffer.from(lines.map((line) => `data: ${line}\n\n`).join('')), [], forward);
}

describe('a stream of chat chunks', () => {
  it('emits text, usage and stop reason', () => {
    const { text, answer, failure } = playFixture('text.chunks.txt');
    expect(failure).toBeUndefined();
    expect(text).toBe('Grüße, 世界 👋 "model":"gpt-4o-mini-2024-07-18"');
    expect(answer).toMatchObject({
      responseId: 'chatcmpl-S1',
      stopReason: 'stop',
      usage: { inputTokens: 12, outputTokens: 7, cacheReadInputTokens: 4, reasoningTokens: 0 },
    });
  });

  it('emits parallel tool calls with stable index, id and name', () => {
    const { calls, answer } = playFixture('tools.chunks.txt');
    expect(calls).toEqual([
      { id: 'call_a1', name: 'weather_get', arguments: '{"city":"Zürich"}' },
      { id: 'call_b2', name: 'clock', arguments: '{}' },
    ]);
    expect(answer).toMatchObject({ stopReason: 'tool_use', usage: { inputTokens: 91, outputTokens: 34 } });
  });

  it('separates calls that share an index but have different ids', () => {
    expect(playFixture('tools-one-index.chunks.txt').calls).toEqual([
      { id: 'call_a1', name: 'weather_get', arguments: '{"city":"Zürich"}' },
      { id: 'call_b2', name: 'clock', arguments: '{}' },
      { id: 'call_c3', name: 'clock', arguments: '{"a":1}' },
    ]);
  });

  const call = (fields: object, index = 0) => toChunk({ tool_calls: [{ index, ...fields }] });

  it.each([
    [
      'its name after its id',
      [call({ id: 'c1' }), call({ function: { name: 'clock' } }), call({ function: { arguments: '{"a":1}' } })],
    ],
    [
      'its id after its name',
      [
        call({ function: { name: 'clock' } }),
        call({ id: 'c1', function: { arguments: '{"a"' } }),
        call({ function: { arguments: ':1}' } }),
      ],
    ],
    [
      'its name after its arguments',
      [call({ id: 'c1', function: { arguments: '{"a":1}' } }), call({ function: { name: 'clock' } })],
    ],
    [
      'its name in each delta',
      [
        call({ id: 'c1', function: { name: 'clock', arguments: '{"a"' } }),
        call({ id: 'c1', function: { name: 'clock', arguments: ':1}' } }),
      ],
    ],
  ])('reads one call that gets %s', (_how, chunks) => {
    const { calls, answer } = playChunks(chunks);
    expect(calls).toEqual([{ id: 'c1', name: 'clock', arguments: '{"a":1}' }]);
    expect(answer?.stopReason).toBe('tool_use');
  });

  it('keeps the id of a call that was reported before the vendor named one', () => {
    const late = [
      call({ function: { name: 'clock', arguments: '{"a"' } }),
      call({ id: 'c1', function: { arguments: ':1}' } }),
    ];
    expect(playChunks(late).calls).toEqual([{ id: 'call_r1_0', name: 'clock', arguments: '{"a":1}' }]);
  });

  it('separates calls without ids that share an index', () => {
    const shared = ['clock', 'find'].map((name) => call({ function: { name, arguments: '{}' } }));
    expect(playChunks(shared).calls.map(({ name }) => name)).toEqual(['clock', 'find']);
  });

  it('reports a call whose name never comes', () => {
    expect(playChunks([call({ id: 'c1', function: { arguments: '{}' } })]).calls).toEqual([
      { id: 'c1', name: '', arguments: '{}' },
    ]);
  });

  it('gives a call without arguments an empty object', () => {
    expect(playChunks([call({ id: 'c1', function: { name: 'clock', arguments: '' } })]).calls).toEqual([
      { id: 'c1', name: 'clock', arguments: '{}' },
    ]);
  });

  it.each(['stop', 'tool_calls', '', null, 'eos'])('stops for its calls when the reason is %j', (reason) => {
    const chunks = [call({ id: 'c1', function: { name: 'clock', arguments: '{}' } }), toChunk({}, reason)];
    expect(playChunks(chunks).answer?.stopReason).toBe('tool_use');
  });

  it('keeps the reason of a bound that cut a call', () => {
    const chunks = [call({ id: 'c1', function: { name: 'clock', arguments: '{' } }), toChunk({}, 'length')];
    expect(playChunks(chunks).answer?.stopReason).toBe('max_tokens');
  });

  it('reads text that comes as parts', () => {
    const parts = [
      { type: 'thinking', thinking: [] },
      { type: 'text', text: 'hi' },
      { type: 'text', text: ' there' },
    ];
    expect(playChunks([toChunk({ content: parts }), toChunk({}, 'stop')]).text).toBe('hi there');
  });

  it('reads the first event after a byte order mark, wherever it is cut', () => {
    const events = 'data: {"choices":[{"delta":{"content":"hi"}}]}\n\ndata: [DONE]\n\n';
    const marked = Buffer.from(`\uFEFF${events}`);
    for (const cuts of [[], [1], [2], [3], [1, 2]]) expect(play(marked, cuts).text).toBe('hi');
  });

  it('stops with the last of several choices, and counts the text of all', () => {
    const chunk = (choices: object[], more = {}) => `data: ${JSON.stringify({ model: 'gpt-9', choices, ...more })}\n\n`;
    const text = (index: number, content: string) => ({ index, delta: { content }, finish_reason: null });
    const end = (index: number) => ({ index, delta: {}, finish_reason: 'stop' });
    const usage = { prompt_tokens: 5, completion_tokens: 6, total_tokens: 11 };
    const events = [
      chunk([text(0, 'one')]),
      chunk([text(1, 'two'), text(0, ' more')]),
      chunk([end(0)]),
      chunk([text(1, ' tails')]),
      chunk([end(1)]),
      chunk([], { usage }),
    ];
    const forward = { body: { n: 2 }, modelName: 'ours', betas: [] };
    const played = play(Buffer.from(`${events.join('')}data: [DONE]\n\n`), [], forward);
    expect(played.text).toBe('onetwo more tails');
    expect(played.forwarded.map(({ isLast }) => isLast)).toEqual([false, false, false, false, true]);
    expect(played.answer).toMatchObject({ stopReason: 'stop', usage: { inputTokens: 5, outputTokens: 6 } });
  });

  it.each(['text.chunks.txt', 'tools.chunks.txt', 'no-done.chunks.txt'])(
    'reads %s the same wherever it is cut',
    (name) => {
      const bytes = Buffer.from(fixture('openai', name));
      const whole = play(bytes);
      expectSame(
        allCuts(bytes).map((cuts) => play(bytes, cuts)),
        whole,
      );
    },
  );

  it.each(['\r\n', '\r'])('reads lines that end in %j the same, wherever they are cut', (end) => {
    const text = fixture('openai', 'tools.chunks.txt');
    const bytes = Buffer.from(text.replaceAll('\n', end));
    const whole = play(Buffer.from(text), []);
    expectSame(
      allCuts(bytes, 3).map((cuts) => play(bytes, cuts)),
      whole,
    );
  });

  it('accepts an end without [DONE] and without usage after a stop reason', () => {
    const { text, answer } = playFixture('no-done.chunks.txt');
    expect(text).toBe('hi there');
    expect(answer).toMatchObject({ stopReason: 'max_tokens', usage: undefined });
  });

  it.each(['abrupt-end.chunks.txt'])('does not end %s as a complete answer', (name) => {
    const { answer, failure, text } = playFixture(name);
    expect(answer).toBeUndefined();
    expect(text).toBe('Four score and seven');
    expect(failure).toMatchObject({ code: 'PROVIDER_ERROR', causeKind: 'transport', retryable: true });
  });

  it.each([
    ['error-mid-stream.chunks.txt', 'The server had an error while processing your request. Sorry about that!'],
    ['error-mid-stream-vllm.chunks.txt', 'EngineDeadError'],
  ])('fails %s with the message of the provider, and ignores later events', (name, detail) => {
    const { answer, failure } = playFixture(name);
    expect(answer).toBeUndefined();
    expect(failure).toMatchObject({ code: 'PROVIDER_ERROR', upstreamStatus: 500, detail, providerRequestId: 'up_1' });
  });

  it('rejects text that is not JSON, and an oversized event', () => {
    expect(play(Buffer.from('data: {nope\n\n'), []).failure).toMatchObject({ causeKind: 'invalid_response' });
    const endless = Buffer.from(`data: "${'x'.repeat(9 * 1024 * 1024)}`);
    expect(play(endless, [100, 5_000_000]).failure).toMatchObject({ causeKind: 'invalid_response' });
  });
});

describe('a forwarded stream of chat chunks', () => {
  const asking = { modelName: 'openai/gpt-4o-mini', betas: [], body: { stream_options: { include_usage: true } } };

  it('corrects the reason of an answer that calls tools, and text that comes as parts', () => {
    const tool = { index: 0, id: 'c1', function: { name: 'clock', arguments: '{}' } };
    const chunks = [
      toChunk({ content: [{ type: 'text', text: 'hi' }] }),
      toChunk({ tool_calls: [tool] }),
      toChunk({}, 'stop'),
    ];
    const { forwarded } = playChunks(chunks, asking);
    const choices = forwarded.map(({ data }) => JSON.parse(data).choices[0]);
    expect(choices.map((choice) => choice.finish_reason)).toEqual([null, null, 'tool_calls']);
    expect(choices[0].delta.content).toBe('hi');
  });

  it('passes chunks through byte by byte except for the model name', () => {
    const { forwarded, text } = playFixture('text.chunks.txt', asking);
    const original = fixture('openai', 'text.chunks.txt')
      .split('\n')
      .filter((line) => line.startsWith('data: {'))
      .map((line) => line.slice(6));
    const expected = original.map((data) => {
      return data.replace('"model":"gpt-4o-mini-2024-07-18"', '"model":"openai/gpt-4o-mini"');
    });
    expect(forwarded.map(({ data }) => data)).toEqual(expected);
    expect(text).toBe('Grüße, 世界 👋 "model":"gpt-4o-mini-2024-07-18"');
  });

  it('marks everything from the stop reason on as the end, and omits usage unless requested', () => {
    const asked = playFixture('text.chunks.txt', asking);
    expect(asked.forwarded.map(({ isLast }) => isLast)).toEqual([false, false, false, false, true, true]);
    const unasked = playFixture('text.chunks.txt', { ...asking, body: {} });
    expect(unasked.forwarded).toHaveLength(5);
    expect(unasked.answer?.usage?.outputTokens).toBe(7);
  });
});
