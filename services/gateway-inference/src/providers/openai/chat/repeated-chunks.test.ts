import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { play as playOn, type Recorder } from '../../../testing/stream-player.js';
import { ChatWire } from './chat-wire.js';
import { RepeatedChunks } from './repeated-chunks.js';

const HEAD =
  '{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"m-2024","choices":[{"index":0,"delta":{';
const TAIL = '},"logprobs":null,"finish_reason":null}],"usage":null';

const withDelta = (delta: string, more = '') => `${HEAD}${delta}${TAIL}${more}}`;
const chunk = (text: string, more = '') => withDelta(`"content":${JSON.stringify(text)}`, more);

function learned(data: string, modelName?: string): RepeatedChunks {
  const chunks = new RepeatedChunks(modelName);
  chunks.learn(data, JSON.parse(data));
  return chunks;
}

describe('a chunk that differs from an earlier one in its text', () => {
  it.each(['b', '', ' a "quoted" \\ \n\u0007 text', 'Grüße, 世界 👋', '"},"x":"', '"content":"y"'])(
    'yields its text %j without its other members',
    (text) => {
      expect(learned(chunk('a')).read(chunk(text))).toEqual({ text, data: chunk(text) });
    },
  );

  it('gets the name of the model that the client knows', () => {
    const data = chunk('"model":"m-2024"');
    expect(learned(chunk('a'), 'mine').read(data)?.data).toBe(data.replace('m-2024', 'mine'));
  });

  it('matches with other padding', () => {
    const chunks = learned(chunk('a', ',"obfuscation":"x1"'));
    const padded = chunk('b', ',"obfuscation":"longer"');
    expect(chunks.read(padded)).toEqual({ text: 'b', data: padded });
    for (const end of ['', ',"obfuscation":7', ',"obfuscation":"a\\q"', ',"obfuscation":"a","x":1'])
      expect(chunks.read(chunk('b', end))).toBeUndefined();
  });
});

describe('a chunk that differs in anything else', () => {
  it.each([
    ['its end', chunk('b').replace('"finish_reason":null', '"finish_reason":"stop"')],
    ['its id', chunk('b').replace('chatcmpl-1', 'chatcmpl-2')],
    ['its usage', chunk('b').replace('"usage":null', '"usage":{"prompt_tokens":1,"completion_tokens":1}')],
    ['a further member', chunk('b', ',"error":"overloaded"')],
    ['a tool call', withDelta('"content":"b","tool_calls":[{"index":0}]')],
    ['no text', withDelta('"content":null')],
    ['an invalid escape', withDelta('"content":"\\q"')],
    ['a control character', withDelta('"content":"\t"')],
    ['the rest of its text', chunk('b').slice(0, -1)],
    ['text behind it', `${chunk('b')} x`],
  ])('does not match the pattern: %s', (_, data) => {
    expect(learned(chunk('a')).read(data)).toBeUndefined();
  });
});

describe('a pattern', () => {
  it.each([
    ['of a chunk with a tool call', withDelta('"tool_calls":[{"index":0,"id":"a"}],"content":"a"')],
    ['of a refusal', withDelta('"content":"a","refusal":"b"')],
    ['of the last chunk', chunk('a').replace('"finish_reason":null', '"finish_reason":"stop"')],
    ['of a chunk with usage', chunk('a').replace('"usage":null', '"usage":{"prompt_tokens":1}')],
    ['of a name in another place', withDelta('"content":"a"', ',"x":{"content":"a"}')],
    ['of a name that is written twice', withDelta('"\\u0063ontent":"a"', ',"x":{"content":"a"}')],
  ])('does not come %s', (_, data) => {
    expect(learned(data).read(data)).toBeUndefined();
  });

  it('requires that the name of the model precedes the text, if that is replaced', () => {
    const data = `{"choices":[{"delta":{"content":"a"}}],"model":"m-2024"}`;
    expect(learned(data).read(data)?.text).toBe('a');
    expect(learned(data, 'mine').read(data)).toBeUndefined();
  });

  it('stays out of use when chunks keep changing', () => {
    const chunks = new RepeatedChunks(undefined);
    const numbered = (i: number) => chunk('a', `,"n":${i}`);
    for (let i = 0; i < 10; i++) chunks.learn(numbered(i), JSON.parse(numbered(i)));
    expect(chunks.read(numbered(9))).toBeUndefined();
  });
});

describe('a long stream', () => {
  const texts = Array.from({ length: 50 }, (_, i) => `word ${i} "é"`);
  const chunks = [withDelta('"role":"assistant","content":""'), ...texts.map((text) => chunk(text))];
  const end = chunk('').replace('"content":""', '').replace('"finish_reason":null', '"finish_reason":"stop"');
  const bytes = Buffer.from([...chunks, end, '[DONE]'].map((data) => `data: ${data}\n\n`).join(''));

  afterEach(() => void jest.restoreAllMocks());

  function play(modelName?: string): Recorder {
    const forward = modelName === undefined ? undefined : { dialect: 'openai-chat' as const, modelName, body: {} };
    return playOn(new ChatWire('openai', undefined, forward as never), bytes);
  }

  it('has the same output as chunks that are parsed one by one', () => {
    expect(play().text).toBe(texts.join(''));
    expect(play('mine').forwarded.map(({ data }) => data)).toEqual(
      [...chunks, end].map((data) => data.replace('"model":"m-2024"', '"model":"mine"')),
    );
    expect(play('mine')).toMatchObject({
      text: texts.join(''),
      answer: { responseId: 'chatcmpl-1', stopReason: 'stop' },
    });
  });

  it('parses few of its chunks', () => {
    const parse = jest.spyOn(JSON, 'parse');
    play('mine');
    const whole = parse.mock.calls.filter(([text]) => text.startsWith('{'));
    expect(whole.length).toBeLessThan(10);
  });
});
