import { describe, expect, it } from '@jest/globals';
import type { ModelAnswer } from '../../domain/model-answer.js';
import { Recorder } from '../../testing/stream-player.js';
import { callForced } from '../anthropic/structured-output.js';
import type { ModelExchange, ModelListener } from '../contract/provider.js';
import { checkJson } from './check-json.js';
import { watchStops } from './watch-stops.js';

const usage = {
  inputTokens: 1,
  outputTokens: 2,
  cacheReadInputTokens: 0,
  cacheWriteInputTokens: 0,
  reasoningTokens: 0,
};

function answer(text: string, more: Partial<ModelAnswer> = {}): ModelAnswer {
  return { responseId: 'r', stopReason: 'stop', text, toolCalls: [], usage, ...more };
}

describe('a watch for stop sequences that the provider is not asked for', () => {
  function watched(stops: string[]) {
    const recorder = new Recorder();
    let aborts = 0;
    let listener: ModelListener | undefined;
    watchStops(stops, recorder, (watching) => {
      listener = watching;
      return { abort: () => ++aborts > 0 } as ModelExchange;
    });
    const stream = (...pieces: string[]) => {
      for (const piece of pieces) if (aborts === 0) listener!.onText(piece);
      if (aborts === 0) listener!.onAnswer(answer(''));
      return { text: recorder.text, stop: recorder.answer?.stopSequence, aborts };
    };
    return { recorder, listener: () => listener!, stream };
  }

  it.each<[string, string[], string[], string, string | undefined]>([
    ['in one piece', ['END'], ['abENDcd'], 'ab', 'END'],
    ['in two pieces', ['END'], ['abE', 'NDcd'], 'ab', 'END'],
    ['one character at a time', ['END'], [...'abEENDcd'], 'abE', 'END'],
    ['that comes first', ['d', 'bc'], ['abcd'], 'a', 'bc'],
    ['that is the longer of two', ['b', 'bc'], ['abcd'], 'a', 'bc'],
    ['at the start', ['a'], ['abc'], '', 'a'],
    ['that is only started', ['END'], ['abEN'], 'abEN', undefined],
    ['that is started twice', ['aab'], ['aaa', 'b!'], 'a', 'aab'],
    ['of a line', ['\n'], ['a', '\n', 'b'], 'a', '\n'],
    ['that does not come', ['END'], ['ab', 'cd'], 'abcd', undefined],
  ])('ends a stream at a sequence %s', (_, stops, pieces, text, stop) => {
    expect(watched(stops).stream(...pieces)).toEqual({ text, stop, aborts: stop === undefined ? 0 : 1 });
  });

  it('ends a whole answer there, without the calls that follow', () => {
    const { recorder, listener } = watched(['END']);
    const toolCalls = [{ id: 'a', name: 'b', arguments: '{}' }];
    listener().onAnswer(answer('abENDcd', { toolCalls, stopReason: 'tool_use' }));
    expect(recorder.answer).toMatchObject({
      text: 'ab',
      toolCalls: [],
      stopReason: 'stop',
      stopSequence: 'END',
      usage,
    });
  });

  it('releases the text that waits before a call, and before a failure', () => {
    const { recorder, listener } = watched(['END']);
    listener().onText('abE');
    expect(recorder.text).toBe('ab');
    listener().onToolCall(0, 'a', 'b');
    expect(recorder.text).toBe('abE');
  });
});

describe('a forced call that a model writes as its answer', () => {
  const look = { name: 'kv.look', description: undefined, parameters: undefined };
  const chosen = '{"call":{"tool":"b","arguments":{"x":1}}}';

  function played(tools: { name: string }[], text: string, more: Partial<ModelAnswer> = {}, isStream = true): Recorder {
    const recorder = new Recorder();
    const listener = callForced({ tools: tools.map((tool) => ({ ...look, ...tool })) }, recorder);
    for (const piece of isStream ? (text.match(/.{1,3}/gs) ?? []) : []) listener.onText(piece);
    listener.onAnswer(answer(isStream ? '' : text, more));
    return recorder;
  }

  it.each([true, false])('becomes the call of the only tool (stream: %s)', (isStream) => {
    const { text, calls, answer: last } = played([look], '{"x": 1}', {}, isStream);
    const call = { id: expect.stringMatching(/^toolu_/), name: 'kv.look', arguments: '{"x": 1}' };
    expect(last).toMatchObject({ text: '', toolCalls: [call], stopReason: 'tool_use', usage });
    expect([text, calls]).toEqual(isStream ? ['', [last!.toolCalls[0]]] : ['', []]);
  });

  it.each([true, false])('becomes the call of the tool that it chooses (stream: %s)', (isStream) => {
    const { text, calls, answer: last } = played([{ name: 'a' }, { name: 'b' }], chosen, {}, isStream);
    expect(last).toMatchObject({ toolCalls: [{ name: 'b', arguments: '{"x":1}' }], stopReason: 'tool_use' });
    expect([text, calls]).toEqual(isStream ? ['', [last!.toolCalls[0]]] : ['', []]);
  });

  it('keeps the reason of an answer that was cut', () => {
    const { answer: last } = played([look], '{"x": ', { stopReason: 'max_tokens' });
    expect(last).toMatchObject({ toolCalls: [{ arguments: '{"x": ' }], stopReason: 'max_tokens' });
  });

  it('remains a text if it chooses nothing', () => {
    const { text, answer: last } = played([{ name: 'a' }, { name: 'b' }], 'I will not.', { stopReason: 'refusal' });
    expect([text, last!.toolCalls, last!.stopReason]).toEqual(['I will not.', [], 'refusal']);
  });
});

describe('JSON that an instruction asks for', () => {
  function checked(text: string, more: Partial<ModelAnswer> = {}, isStream = true): Recorder {
    const recorder = new Recorder();
    const listener = checkJson(recorder);
    for (const piece of isStream ? [...text] : []) listener.onText(piece);
    listener.onAnswer(answer(isStream ? '' : text, more));
    return recorder;
  }

  it.each(['{"a": 1}', '```json\n{"a": 1}\n```', ' \n{"a": 1}\n', '```\n{"a": 1}\n```'])(
    'leaves %j as JSON alone',
    (text) => {
      expect(checked(text)).toMatchObject({ text: '{"a": 1}', answer: { text: '' } });
      expect(checked(text, {}, false).answer).toMatchObject({ text: '{"a": 1}' });
      expect(checked(text).answer).not.toHaveProperty('fault');
    },
  );

  it.each(['Sure: {"a": 1}', '', '{"a": '])('reports a fault of the answer %j', (text) => {
    const fault = expect.objectContaining({ code: 'INVALID_OUTPUT' });
    expect(checked(text).answer).toMatchObject({ fault, usage });
    expect(checked(text, {}, false).answer).toMatchObject({ fault, usage });
  });

  it('reports no fault if the answer was cut, or calls a tool', () => {
    expect(checked('{"a": ', { stopReason: 'max_tokens' }).answer).not.toHaveProperty('fault');
    const toolCalls = [{ id: 'a', name: 'b', arguments: '{}' }];
    expect(checked('', { toolCalls, stopReason: 'tool_use' }).answer).not.toHaveProperty('fault');
  });
});
