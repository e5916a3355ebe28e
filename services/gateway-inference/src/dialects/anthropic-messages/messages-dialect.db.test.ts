import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type MessagesBody, messagesBody } from '@tollgate/api/compatible';
import { Dialect } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { AppError } from '@tollgate/errors';
import type { ModelAnswer, TokenUsage } from '../../domain/model-answer.js';
import type { TurnInfo } from '../../domain/turn-info.js';
import { InferenceSystem } from '../../testing/inference-system.js';
import type { StreamEvent, StreamEvents } from '../dialect.js';
import { messagesDialect } from './messages-dialect.js';

let system: InferenceSystem;

beforeAll(async () => {
  system = await InferenceSystem.start();
});

afterAll(() => system.stop());

const asMessages = { dialect: Dialect.ANTHROPIC_MESSAGES };
const clock = { name: 'clock', input_schema: { type: 'object', properties: { zone: { type: 'string' } } } };
const info: TurnInfo = { requestId: 'r1', model: 'm', provider: 'sandbox', startedAt: 1_000 };
const usage: TokenUsage = {
  inputTokens: 10,
  outputTokens: 2,
  cacheReadInputTokens: 4,
  cacheWriteInputTokens: 3,
  reasoningTokens: 1,
};

function ask(content: unknown, more: object = {}): Record<string, unknown> {
  return { model: 'echo-1', max_tokens: 100, messages: [{ role: 'user', content }], ...more };
}

function body(more: object): MessagesBody {
  return messagesBody.parse({ ...ask('hi'), ...more });
}

function buildAnswer(more: Partial<ModelAnswer> = {}): ModelAnswer {
  return { responseId: '', stopReason: 'stop', text: '', toolCalls: [], usage, ...more };
}

// biome-ignore lint/suspicious/noExplicitAny: tests look inside
function parsed(...events: StreamEvents[]): any[] {
  return events
    .flatMap((each) => (each === undefined ? [] : (each as StreamEvent | StreamEvent[])))
    .map(({ event, data }) => {
      const value = JSON.parse(data);
      expect(value.type).toBe(event);
      return value;
    });
}

describe('answers in the messages dialect', () => {
  it('has the form of the dialect', async () => {
    const requestId = 'a0000000-0000-4000-8000-000000000004';
    expect(await system.answer(ask('hi'), { ...asMessages, requestId })).toEqual({
      id: `msg_${requestId}`,
      type: 'message',
      role: 'assistant',
      model: 'echo-1',
      container: null,
      diagnostics: null,
      content: [{ type: 'text', text: 'Echo: hi' }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      stop_details: null,
      usage: {
        input_tokens: 5,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
        output_tokens: 2,
        output_tokens_details: null,
        server_tool_use: null,
        cache_creation: null,
        inference_geo: null,
        service_tier: null,
        speed: null,
      },
    });
  });

  it('reports cached input separately from the input', () => {
    const answer = JSON.parse(messagesDialect.writeAnswer(info, buildAnswer({ text: 'x' }), usage, body({})));
    expect(answer.usage).toMatchObject({
      input_tokens: 3,
      cache_creation_input_tokens: 3,
      cache_read_input_tokens: 4,
      output_tokens: 2,
      output_tokens_details: { thinking_tokens: 1 },
    });
  });

  it.each([
    ['stop', 'end_turn'],
    ['max_tokens', 'max_tokens'],
    ['tool_use', 'tool_use'],
    ['refusal', 'refusal'],
    ['content_filter', 'refusal'],
    ['stop_sequence', 'stop_sequence'],
    ['something new', 'end_turn'],
  ])('maps stop reason %s to %s', (reason, said) => {
    const text = messagesDialect.writeAnswer(info, buildAnswer({ stopReason: reason }), usage, body({}));
    expect(JSON.parse(text).stop_reason).toBe(said);
  });

  it.each([
    [['END', ', '], 'stop_sequence', ', ', 'Echo: one'],
    [['none'], 'end_turn', null, 'Echo: one, two'],
  ])('reports which of the stop sequences %j ended the answer', async (stop_sequences, reason, sequence, text) => {
    const asked = ask('one, two', { stop_sequences });
    const answer = await system.answer(asked, asMessages);
    expect(answer).toMatchObject({ stop_reason: reason, stop_sequence: sequence, content: [{ text }] });
    const events = (await system.events(asked, asMessages)).map((data) => JSON.parse(data));
    expect(events.at(-2).delta).toMatchObject({ stop_reason: reason, stop_sequence: sequence });
  });

  it('calls tools and accepts their results', async () => {
    const asked = ask('call tool clock', { tools: [clock] });
    const { content, stop_reason } = await system.answer(asked, asMessages);
    expect([stop_reason, content]).toMatchObject(['tool_use', [{ type: 'tool_use', name: 'clock', input: {} }]]);
    const messages = [
      ...(asked.messages as object[]),
      { role: 'assistant', content: [{ type: 'thinking', thinking: 'hm', signature: 's' }, ...content] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: content[0].id, content: 'noon' }] },
    ];
    const answer = await system.answer({ ...asked, messages }, asMessages);
    expect(answer.content[0].text).toBe('clock returned: noon');
  });

  it('reports an empty input for a call that was cut off', () => {
    const toolCalls = [{ id: 'c', name: 'f', arguments: '{"a":' }];
    const text = messagesDialect.writeAnswer(info, buildAnswer({ toolCalls }), usage, body({}));
    expect(JSON.parse(text).content).toMatchObject([{ type: 'tool_use', input: {} }]);
  });

  it.each(['output_config', 'output_format'])('returns JSON if requested in %s', async (member) => {
    const schema = { type: 'object', properties: { title: { type: 'string' } } };
    const format = { type: 'json_schema', schema };
    const answer = await system.answer(
      ask('a title', member === 'output_config' ? { output_config: { format } } : { output_format: format }),
      asMessages,
    );
    expect(JSON.parse(answer.content[0].text)).toEqual({ title: expect.any(String) });
  });
});

describe('streams in the messages dialect', () => {
  it('keeps the strict order of the dialect and ends with the whole usage', async () => {
    const events = (await system.events(ask('hi'), asMessages)).map((data) => JSON.parse(data));
    expect(events.map(({ type }) => type)).toEqual([
      'message_start',
      'content_block_start',
      'ping',
      'content_block_delta',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ]);
    expect(events.at(-2)).toMatchObject({
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { input_tokens: 5, output_tokens: 2 },
    });
  });

  it('starts with our own count of the input', async () => {
    const [start] = await system.events(ask('hi'), asMessages);
    expect(JSON.parse(start!).message.usage).toMatchObject({ input_tokens: 5, output_tokens: 0, service_tier: null });
  });

  it('writes text and calls as consecutive blocks', () => {
    const writer = messagesDialect.openStream(info, body({}), () => 5);
    const events = parsed(
      writer.start(),
      writer.text('so'),
      writer.text('on'),
      writer.toolCall(0, 'c0', 'a'),
      writer.toolArguments(0, '{"x"'),
      writer.toolArguments(0, ':1}'),
      writer.toolCall(1, 'c1', 'b'),
      writer.toolArguments(1, '{}'),
      writer.text('more'),
      writer.end(buildAnswer({ stopReason: 'tool_use' }), usage, []),
    );
    const blocks = events.filter(({ type }) => type.startsWith('content_block'));
    expect(blocks.map(({ type, index }) => `${type.slice('content_block_'.length)} ${index}`)).toEqual([
      'start 0',
      'delta 0',
      'delta 0',
      'stop 0',
      'start 1',
      'delta 1',
      'delta 1',
      'stop 1',
      'start 2',
      'delta 2',
      'stop 2',
      'start 3',
      'delta 3',
      'stop 3',
    ]);
    expect(blocks[4]).toMatchObject({ content_block: { type: 'tool_use', id: 'c0', name: 'a', input: {} } });
    expect(blocks[5]).toMatchObject({ delta: { type: 'input_json_delta', partial_json: '{"x"' } });
  });

  it('writes interleaved calls as consecutive blocks, with no delta after its block', () => {
    const writer = messagesDialect.openStream(info, body({}), () => 5);
    const events = parsed(
      writer.start(),
      writer.toolCall(0, 'c0', 'a'),
      writer.toolCall(1, 'c1', 'b'),
      writer.toolArguments(0, '{"x":{'),
      writer.toolArguments(1, '{"y"'),
      writer.text('aside'),
      writer.toolArguments(0, '}'),
      writer.toolArguments(1, ':2'),
      writer.toolArguments(0, '}'),
      writer.toolArguments(1, '}'),
      writer.end(buildAnswer({ stopReason: 'tool_use' }), usage, []),
    );
    expect(joinBlocks(events)).toEqual([
      { type: 'tool_use', id: 'c0', value: '{"x":{}}' },
      { type: 'tool_use', id: 'c1', value: '{"y":2}' },
      { type: 'text', value: 'aside' },
    ]);
  });

  it('writes the latest call at once when the previous one is complete', () => {
    const writer = messagesDialect.openStream(info, body({}), () => 5);
    writer.toolCall(0, 'c0', 'a');
    writer.toolArguments(0, '{}');
    expect(parsed(writer.toolCall(1, 'c1', 'b')).map(({ type }) => type)).toEqual([
      'content_block_stop',
      'content_block_start',
    ]);
    expect(parsed(writer.toolArguments(1, '{"y"'))).toMatchObject([{ type: 'content_block_delta', index: 1 }]);
  });

  it('ends calls that broke off, in order', () => {
    const writer = messagesDialect.openStream(info, body({}), () => 5);
    const events = parsed(
      writer.toolCall(0, 'c0', 'a'),
      writer.toolArguments(0, '{"x"'),
      writer.toolCall(1, 'c1', 'b'),
      writer.toolArguments(1, '{"y"'),
      writer.end(buildAnswer({ stopReason: 'max_tokens' }), usage, []),
    );
    expect(joinBlocks(events)).toMatchObject([
      { id: 'c0', value: '{"x"' },
      { id: 'c1', value: '{"y"' },
    ]);
    expect(events.slice(-2).map(({ type }) => type)).toEqual(['message_delta', 'message_stop']);
  });

  it('ends a broken stream in an error event of the dialect', () => {
    const writer = messagesDialect.openStream(info, body({}), () => 5);
    parsed(writer.start(), writer.text('so'));
    expect(parsed(writer.error(new AppError('SERVICE_UNAVAILABLE', 'left')))).toEqual([
      { type: 'error', error: { type: 'overloaded_error', message: 'left' }, request_id: 'r1' },
    ]);
  });
});

/** Puts the blocks of a stream together, and fails where a delta is outside of its block. */
// biome-ignore lint/suspicious/noExplicitAny: tests look inside
function joinBlocks(events: any[]): object[] {
  const blocks: { type: string; id?: string; value: string }[] = [];
  let open = -1;
  for (const { type, index, content_block: block, delta } of events) {
    if (type === 'content_block_start') {
      expect([open, index]).toEqual([-1, blocks.length]);
      open = index;
      blocks.push({ type: block.type, ...(block.id && { id: block.id }), value: '' });
    } else if (type === 'content_block_delta') {
      expect(index).toBe(open);
      blocks[index]!.value += delta.text ?? delta.partial_json;
    } else if (type === 'content_block_stop') {
      expect(index).toBe(open);
      open = -1;
    }
  }
  expect(open).toBe(-1);
  return blocks;
}
