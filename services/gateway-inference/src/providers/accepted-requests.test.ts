import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@tollgate/runtime';
import { findVendorRefusal } from '@tollgate/testkit/vendor-rules';
import type { ModelMessage, ModelRequest } from '../domain/model-request.js';
import { messagesRequest } from './anthropic/messages-request.js';
import { converseRequest } from './bedrock/converse-request.js';
import type { ModelCall } from './contract/provider.js';
import { generateRequest } from './google/generate-request.js';
import { chatRequest } from './openai/chat/chat-request.js';
import { responsesRequest } from './openai/responses/responses-request.js';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const tool = { name: 'look', description: 'Looks.', parameters: undefined };
const plain: ModelRequest = {
  messages: [message('user', 'hi')],
  tools: [],
  toolChoice: undefined,
  outputFormat: undefined,
  temperature: undefined,
  topP: undefined,
  stop: [],
  reasoningEffort: undefined,
};

function message(role: ModelMessage['role'], text: string | undefined, more: Partial<ModelMessage> = {}): ModelMessage {
  const content = text === undefined ? [] : [{ type: 'text' as const, text }];
  return { role, content, toolCalls: [], toolCallId: undefined, ...more };
}

function calls(...ids: string[]): Partial<ModelMessage> {
  return { toolCalls: ids.map((id) => ({ id, type: 'function', function: { name: 'look', arguments: '' } })) };
}

function result(toolCallId: string, text?: string): ModelMessage {
  return message('tool', text, { toolCallId });
}

function image(mime_type: string): ModelMessage {
  return message('user', undefined, { content: [{ type: 'file', file: { data_base64: PNG, mime_type } }] });
}

/** Conversions of a request to the body of each vendor, and the vendor's path. */
const vendors: [vendor: string, path: string, convert: (call: ModelCall) => JsonObject, model: string][] = [
  ['OpenAI', '/chat/completions', (call) => chatRequest(call, 'max_tokens', 'openai'), 'gpt-4.1-mini'],
  [
    'OpenAI (reasoning)',
    '/chat/completions',
    (call) => chatRequest(call, 'max_completion_tokens', 'openai'),
    'gpt-5.5',
  ],
  ['OpenAI (responses)', '/responses', (call) => responsesRequest(call, 'openai'), 'gpt-6-luna'],
  ['Anthropic (budgets)', '/v1/messages', messagesRequest, 'claude-haiku-4-5'],
  ['Anthropic (levels)', '/v1/messages', messagesRequest, 'claude-opus-5'],
  ['Anthropic (newest)', '/v1/messages', messagesRequest, 'claude-opus-5-5'],
  ['Bedrock (Nova)', '/model/m/converse', (call) => converseRequest(call, 'openai'), 'us.amazon.nova-pro-v1:0'],
  [
    'Bedrock (Mistral)',
    '/model/m/converse',
    (call) => converseRequest(call, 'openai'),
    'mistral.mistral-large-2407-v1:0',
  ],
  ['Google', '/v1beta/models/m:generateContent', generateRequest, 'gemini-3.8-flash'],
];

describe.each(vendors)('%s', (_, path, convert, upstreamModel) => {
  /** Returns the vendor's body for a request, which it must accept. */
  function accepted(request: Partial<ModelRequest>): JsonObject {
    const all = { ...plain, ...request };
    const body = convert({ upstreamModel, isStream: false, maxOutputTokens: 20_000, request: () => all } as ModelCall);
    expect(findVendorRefusal(path, JSON.parse(JSON.stringify(body)))).toBeUndefined();
    return body;
  }

  it.each<[string, ModelMessage[]]>([
    ['a user turn of white space', [message('user', 'a'), message('assistant', 'b'), message('user', ' \n')]],
    ['a white turn in the middle', [message('user', 'a'), message('assistant', ' '), message('user', 'b')]],
    [
      'an assistant turn without content',
      [message('user', 'a'), message('assistant', undefined), message('user', 'b')],
    ],
    ['an empty assistant turn', [message('user', 'a'), message('assistant', ''), message('user', 'b')]],
    ['an empty user turn', [message('user', 'a'), message('user', undefined)]],
    ['an assistant who speaks first', [message('assistant', 'a'), message('user', 'b')]],
    ['an assistant who calls first', [message('assistant', undefined, calls('a')), result('a', 'x')]],
    ['an assistant who speaks last', [message('user', 'a'), message('assistant', 'b \n')]],
    ['a system message alone', [message('system', 'a')]],
    ['a white system message', [message('system', ' '), message('user', 'a')]],
    [
      'a call with arguments of no text',
      [message('user', 'a'), message('assistant', undefined, calls('a')), result('a')],
    ],
    ['a white text beside a call', [message('user', 'a'), message('assistant', ' ', calls('a')), result('a', ' ')]],
    [
      'messages between calls and results',
      [
        message('user', 'a'),
        message('assistant', 'b', calls('a', 'b')),
        message('user', 'c'),
        result('b', 'x'),
        message('system', 'd'),
        result('a', 'y'),
      ],
    ],
    [
      'a text between a call and its result',
      [message('user', 'a'), message('assistant', undefined, calls('a')), message('assistant', 'b'), result('a', 'x')],
    ],
    [
      'the same id in two turns',
      [
        message('user', 'a'),
        message('assistant', undefined, calls('a')),
        result('a', 'x'),
        message('assistant', undefined, calls('a')),
        result('a', 'y'),
      ],
    ],
  ])('accepts %s', (_, messages) => {
    for (const tools of [[], [tool]]) {
      accepted({ messages, tools });
      accepted({ messages, tools, reasoningEffort: path === '/chat/completions' ? undefined : 'high' });
    }
  });

  it.each([1, 4, 5, 6, 8])('accepts %i stop sequences', (count) => {
    accepted({ stop: Array.from({ length: count }, (_, i) => (i === 0 ? '\n' : `stop ${i}`)) });
  });

  it('accepts sampling, which some models do not have', () => {
    accepted({
      temperature: 0.5,
      topP: 0.5,
      ...(path === '/responses' ? {} : { sampling: { frequencyPenalty: 1, seed: 1 } }),
    });
    accepted({ temperature: 2, reasoningEffort: upstreamModel.startsWith('gpt-4') ? undefined : 'none' });
  });

  it('accepts JSON without a schema', () => {
    if (path !== '/v1/messages') accepted({ outputFormat: { type: 'json_object' } });
  });

  it.each(['image/png', 'image/jpg', 'image/jpeg', 'image/x-png', 'IMAGE/JPEG'])(
    'accepts a PNG that is called %s',
    (type) => {
      expect(JSON.stringify(accepted({ messages: [image(type)] }))).toMatch(/image\/png|"format":"png"/);
    },
  );

  it.each(['1st', 'a.b', 'a'.repeat(65), `mcp__server__${'x'.repeat(120)}`])(
    'accepts a tool of the name %s',
    (name) => {
      const toolChoice =
        upstreamModel === 'claude-opus-5-5' ? undefined : ({ type: 'required', function: name } as const);
      const history = { id: 'a', type: 'function' as const, function: { name, arguments: '{}' } };
      const messages = [
        message('user', 'a'),
        message('assistant', undefined, { toolCalls: [history] }),
        result('a', 'x'),
      ];
      accepted({ tools: [{ ...tool, name }], toolChoice, messages });
    },
  );

  it.each<[string, JsonObject | undefined]>([
    ['no schema', undefined],
    ['an object without properties', { type: 'object' }],
    [
      'alternatives at the top',
      { type: 'object', properties: { a: {} }, anyOf: [{ required: ['a'] }, { required: ['b'] }] },
    ],
    ['one of two objects', { oneOf: [{ properties: { a: { const: 1 } } }, { properties: { a: { const: '2' } } }] }],
    [
      'a reference at the top',
      { $ref: '#/$defs/A', $defs: { A: { type: 'object', properties: { a: { $ref: '#/$defs/A' } } } } },
    ],
    [
      'a list of item schemas',
      { type: 'object', properties: { a: { type: 'array', items: [{ type: 'string' }, { type: 'number' }] } } },
    ],
    ['an array without items', { type: 'object', properties: { a: { type: ['array', 'null'] } } }],
    [
      'keywords that few vendors know',
      {
        type: 'object',
        properties: { a: { if: {}, else: {}, not: {} } },
        patternProperties: { '^x': {} },
        dependentRequired: {},
      },
    ],
    [
      'an older draft',
      {
        $schema: 'http://json-schema.org/draft-04/schema#',
        type: 'object',
        properties: { a: { type: 'number', minimum: 1, exclusiveMinimum: true } },
      },
    ],
    ['literals of several kinds', { type: 'object', properties: { a: { enum: ['a', 1, null, true] } } }],
  ])('accepts a tool with %s', (_, parameters) => {
    accepted({ tools: [{ ...tool, parameters }] });
  });
});

it("orders results after their calls in the calls' turn, and other messages behind them", () => {
  const messages = [
    message('user', 'a'),
    message('assistant', undefined, calls('a', 'b')),
    message('user', 'c'),
    result('b', 'x'),
    result('a', 'y'),
  ];
  const call = {
    upstreamModel: 'm',
    maxOutputTokens: 1,
    request: () => ({ ...plain, messages }),
  } as unknown as ModelCall;
  expect(chatRequest(call, 'max_tokens', 'openai').messages).toMatchObject([
    { content: 'a' },
    { role: 'assistant' },
    { tool_call_id: 'b', content: 'x' },
    { tool_call_id: 'a', content: 'y' },
    { content: 'c' },
  ]);
});
