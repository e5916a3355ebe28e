import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { installTracer, type SpanFields } from '@tollgate/runtime';
import type { ModelAnswer } from '../domain/model-answer.js';
import type { ModelMessage, ModelRequest } from '../domain/model-request.js';
import type { ModelCall, ModelListener, Provider } from './contract/provider.js';
import { startModelCall } from './traced-call.js';

const TRACEPARENT = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;

let spans: { name: string; fields: SpanFields; error?: string; isEnded: boolean }[];

beforeEach(() => {
  spans = [];
  installTracer({
    start(name, _kind, _parent, fields) {
      const span = { name, fields: { ...fields }, isEnded: false } as (typeof spans)[number];
      spans.push(span);
      return {
        traceparent: TRACEPARENT,
        set: (more) => void Object.assign(span.fields, more),
        event: () => undefined,
        fail: (type) => void Object.assign(span, { error: type }),
        end: () => void Object.assign(span, { isEnded: true }),
      };
    },
    stop: async () => undefined,
  });
});
afterEach(() => installTracer(undefined));

const message = (role: ModelMessage['role'], text: string, more: Partial<ModelMessage> = {}): ModelMessage => ({
  role,
  content: text === '' ? [] : [{ type: 'text', text }],
  toolCalls: [],
  toolCallId: undefined,
  ...more,
});

function createCall(messages: ModelMessage[], more: Partial<ModelCall> = {}): ModelCall {
  const request = { messages, temperature: 0.5, topP: undefined } as unknown as ModelRequest;
  const call = {
    upstreamModel: 'm-1',
    maxOutputTokens: 10,
    isStream: true,
    request: () => request,
    forward: undefined,
  };
  return { ...call, ...more } as unknown as ModelCall;
}

const answer: ModelAnswer = {
  responseId: 'r-1',
  stopReason: 'tool_use',
  text: '',
  toolCalls: [{ id: 'c1', name: 'look', arguments: '{"a":1}' }],
  usage: { inputTokens: 9, outputTokens: 4, cacheReadInputTokens: 3, cacheWriteInputTokens: 0, reasoningTokens: 0 },
};

const listener = new Proxy({}, { get: () => () => undefined }) as ModelListener;

/** Plays one call, whose provider answers at once. */
function play(call: ModelCall, capturesContent: boolean, traceparent: string | undefined = TRACEPARENT): SpanFields {
  const provider = {
    id: 'google-ai-studio',
    start(_call: ModelCall, heard: ModelListener) {
      heard.onOpen();
      heard.onText('he');
      heard.onText('llo');
      heard.onAnswer(answer);
      return {};
    },
  } as unknown as Provider;
  startModelCall(provider, call, listener, { traceparent, capturesContent });
  return spans[0]?.fields ?? {};
}

describe('the span of a model call', () => {
  it('has the attributes of the conventions, and no text', () => {
    const fields = play(createCall([message('user', 'secret')]), false);
    expect(fields).toEqual({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'gcp.gemini',
      'gen_ai.request.model': 'm-1',
      'gen_ai.request.max_tokens': 10,
      'gen_ai.request.stream': true,
      'gen_ai.request.temperature': 0.5,
      'gen_ai.request.top_p': undefined,
      'gen_ai.response.id': 'r-1',
      'gen_ai.response.finish_reasons': ['tool_use'],
      'gen_ai.usage.input_tokens': 9,
      'gen_ai.usage.output_tokens': 4,
      'gen_ai.usage.cache_read.input_tokens': 3,
    });
    expect(JSON.stringify(fields)).not.toContain('secret');
    expect(spans).toMatchObject([{ name: 'chat m-1', isEnded: true }]);
  });

  it('does not convert a request that is forwarded', () => {
    const request = () => {
      throw new Error('converted');
    };
    const forward = {} as ModelCall['forward'];
    expect(play(createCall([], { forward, request }), false)).not.toHaveProperty(['gen_ai.request.temperature']);
  });

  it('has the texts when they are captured', () => {
    const call = { id: 'c0', type: 'function', function: { name: 'look', arguments: '{}' } } as const;
    const fields = play(
      createCall([
        message('system', 'be brief'),
        message('assistant', '', { toolCalls: [call] }),
        message('tool', 'found', { toolCallId: 'c0' }),
        message('user', 'hi'),
      ]),
      true,
    );
    expect(JSON.parse(String(fields['gen_ai.input.messages']))).toEqual([
      { role: 'system', parts: [{ type: 'text', content: 'be brief' }] },
      { role: 'assistant', parts: [{ type: 'tool_call', id: 'c0', name: 'look', arguments: '{}' }] },
      { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c0', response: 'found' }] },
      { role: 'user', parts: [{ type: 'text', content: 'hi' }] },
    ]);
    expect(JSON.parse(String(fields['gen_ai.output.messages']))).toEqual([
      {
        role: 'assistant',
        parts: [
          { type: 'text', content: 'hello' },
          { type: 'tool_call', id: 'c1', name: 'look', arguments: '{"a":1}' },
        ],
        finish_reason: 'tool_use',
      },
    ]);
  });

  it('captures the end of a conversation that is too long', () => {
    const fields = play(createCall([message('user', 'first'), message('user', 'x'.repeat(70_000))]), true);
    const captured = JSON.parse(String(fields['gen_ai.input.messages']));
    expect(captured).toHaveLength(1);
    expect(captured[0].parts[0].content).toHaveLength(64 * 1024);
  });

  it('captures nothing and makes no span without a trace', () => {
    const request = () => {
      throw new Error('converted');
    };
    play(createCall([], { request }), true, 'none');
    expect(spans).toEqual([]);
  });
});
