import { describe, expect, it } from '@jest/globals';
import { ChatWire } from './chat-wire.js';

const tool = { id: 'c1', type: 'function', function: { name: 'clock', arguments: '{}' } };

function completion(message: object, reason: unknown): object {
  return { id: 'r1', model: 'm', choices: [{ index: 0, message, finish_reason: reason }] };
}

function read(body: object) {
  return new ChatWire('openai', undefined, undefined).readAnswer(body, JSON.stringify(body));
}

function forwarded(body: object) {
  const asked = { dialect: 'openai-chat', modelName: 'ours', betas: [], body: {} } as const;
  const answer = new ChatWire('openai', undefined, asked).readAnswer(body, JSON.stringify(body));
  return JSON.parse(Buffer.from(answer!.forwarded!).toString('utf8'));
}

describe('a chat completion', () => {
  it.each(['stop', 'tool_calls', '', null, undefined, 'eos'])('stops for its calls when the reason is %j', (reason) => {
    const body = completion({ content: null, tool_calls: [tool] }, reason);
    expect(read(body)?.stopReason).toBe('tool_use');
    expect(forwarded(body).choices[0].finish_reason).toBe('tool_calls');
  });

  it.each([
    ['length', 'max_tokens', 'length'],
    ['model_length', 'max_tokens', 'model_length'],
    ['content_filter', 'content_filter', 'content_filter'],
  ])('keeps the reason %s of an answer that was cut in a call', (reason, expected, shown) => {
    const body = completion({ tool_calls: [tool] }, reason);
    expect(read(body)?.stopReason).toBe(expected);
    expect(forwarded(body).choices[0].finish_reason).toBe(shown);
  });

  it('reads text that comes as parts, and forwards it as a string', () => {
    const content = [
      { type: 'thinking', thinking: [] },
      { type: 'text', text: 'hi' },
      { type: 'text', text: ' there' },
    ];
    const body = completion({ content }, 'stop');
    expect(read(body)?.text).toBe('hi there');
    expect(forwarded(body)).toMatchObject({ model: 'ours', choices: [{ message: { content: 'hi there' } }] });
  });
});
