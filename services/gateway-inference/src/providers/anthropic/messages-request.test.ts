import { describe, expect, it } from '@jest/globals';
import type { ModelRequest } from '../../domain/model-request.js';
import type { ModelCall } from '../contract/provider.js';
import { messagesRequest } from './messages-request.js';

const plain: ModelRequest = {
  messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }], toolCalls: [], toolCallId: undefined }],
  tools: [],
  toolChoice: undefined,
  outputFormat: undefined,
  temperature: undefined,
  topP: undefined,
  stop: [],
  reasoningEffort: undefined,
};

const weather = {
  name: 'weather.get',
  description: 'Weather',
  parameters: { properties: { city: { type: 'string' } } },
};

function buildBody(request: Partial<ModelRequest>, more: Partial<ModelCall> = {}) {
  const all = { ...plain, ...request };
  return messagesRequest({
    upstreamModel: 'claude-opus-5',
    isStream: false,
    maxOutputTokens: 20_000,
    request: () => all,
    ...more,
  } as ModelCall);
}

function message(role: 'system' | 'user' | 'assistant' | 'tool', text: string, more = {}): ModelRequest['messages'][0] {
  const content = text === '' ? [] : [{ type: 'text' as const, text }];
  return { role, content, toolCalls: [], toolCallId: undefined, ...more };
}

function file(mime: string, filename?: string): ModelRequest['messages'][0] {
  const content = { data_base64: 'aGVsbG8=', mime_type: mime, ...(filename ? { filename } : {}) };
  return message('user', '', { content: [{ type: 'file', file: content }] });
}

it('sends top_k only to models that have sampling', () => {
  const sampling = { topK: 5, seed: 7 };
  expect(buildBody({ sampling }, { upstreamModel: 'claude-haiku-4-5' })).toMatchObject({ top_k: 5 });
  expect(buildBody({ sampling }, { upstreamModel: 'claude-haiku-4-5' })).not.toHaveProperty('seed');
  expect(buildBody({ sampling })).not.toHaveProperty('top_k');
});

describe('the conversation', () => {
  it('separates the system prompt, and alternates turns', () => {
    const call = (id: string, name: string) => ({ id, type: 'function', function: { name, arguments: '{"a":1}' } });
    const body = buildBody({
      messages: [
        message('system', 'Be short.'),
        message('user', 'See:'),
        file('image/PNG'),
        message('assistant', 'Looking.', { toolCalls: [call('call.1', 'kv.get'), call('c2', 'clock')] }),
        message('tool', '42', { toolCallId: 'call.1' }),
        message('tool', '', { toolCallId: 'c2' }),
        message('user', 'And?'),
        message('system', 'In German.'),
      ],
    });
    expect(body.system).toBe('Be short.\n\nIn German.');
    expect(body.messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'See:' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGVsbG8=' } },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Looking.' },
          { type: 'tool_use', id: 'call_1', name: 'kv_get', input: { a: 1 } },
          { type: 'tool_use', id: 'c2', name: 'clock', input: { a: 1 } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'call_1', content: [{ type: 'text', text: '42' }] },
          { type: 'tool_result', tool_use_id: 'c2', content: [] },
          { type: 'text', text: 'And?' },
        ],
      },
    ]);
  });

  it('sends back an answer of the same model in its original form, and converts other answers', () => {
    const content = [{ type: 'thinking', thinking: '', signature: 'x' }];
    const continued = (upstreamModel: string, provider = 'anthropic') =>
      buildBody({
        messages: [
          message('user', 'a'),
          message('assistant', 'b', {
            continuation: { provider, upstreamModel, content: { blocks: content, container: 'c' } },
          }),
        ],
      });
    const { messages, container } = continued('claude-opus-5');
    expect(messages).toEqual([expect.anything(), { role: 'assistant', content }]);
    expect(container).toBe('c');
    const translated = [
      expect.anything(),
      { role: 'assistant', content: [{ type: 'text', text: 'b' }] },
      { role: 'user', content: [{ type: 'text', text: 'Continue.' }] },
    ];
    for (const other of [continued('claude-sonnet-5'), continued('claude-opus-5', 'openai')]) {
      expect(other.messages).toEqual(translated);
      expect(other).not.toHaveProperty('container');
    }
  });

  it.each([
    [
      'application/pdf',
      { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'aGVsbG8=' }, title: 'f' },
    ],
    [
      'text/markdown',
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'hello' }, title: 'f' },
    ],
  ])('accepts %s', (mime, block) => {
    expect(buildBody({ messages: [file(mime, 'f')] }).messages).toEqual([{ role: 'user', content: [block] }]);
  });

  it.each(['image/tiff', 'audio/wav', 'video/mp4', 'application/zip'])('rejects %s', (mime) => {
    expect(() => buildBody({ messages: [file(mime)] })).toThrow(
      expect.objectContaining({ code: 'MODEL_CAPABILITY_UNSUPPORTED' }),
    );
  });

  it.each(['', ' ', '[1', '[]', 'null', '{"a":'])('sends the arguments %j of an earlier call as {}', (text) => {
    const toolCalls = [{ id: 'c', type: 'function', function: { name: 'f', arguments: text } }];
    const { messages } = buildBody({ messages: [message('user', 'a'), message('assistant', '', { toolCalls })] });
    expect(messages).toMatchObject([{}, { content: [{ type: 'tool_use', id: 'c', input: {} }] }]);
  });
});

describe('a request with only system messages', () => {
  it('sends the only one as the message of the user', () => {
    const body = buildBody({ messages: [message('system', 'Write a haiku.'), message('user', '')] });
    expect(body.messages).toEqual([{ role: 'user', content: [{ type: 'text', text: 'Write a haiku.' }] }]);
    expect(body).not.toHaveProperty('system');
  });

  it('keeps the others as the system prompt', () => {
    const body = buildBody({ messages: [message('system', 'Be short.'), message('system', 'Write a haiku.')] });
    expect(body).toMatchObject({ system: 'Be short.', messages: [{ content: [{ text: 'Write a haiku.' }] }] });
  });

  it('rejects the request if all of them are empty', () => {
    const refusal = expect.objectContaining({ code: 'MODEL_CAPABILITY_UNSUPPORTED' });
    expect(() => buildBody({ messages: [message('system', ''), message('user', '')] })).toThrow(refusal);
  });
});

describe('tools', () => {
  it('offers tools with a schema of type object', () => {
    expect(
      buildBody({ tools: [weather, { name: 'clock', description: undefined, parameters: undefined }] }).tools,
    ).toEqual([
      {
        name: 'weather_get',
        description: 'Weather',
        input_schema: { type: 'object', properties: { city: { type: 'string' } } },
      },
      { name: 'clock', input_schema: { type: 'object' } },
    ]);
  });

  it.each([
    [undefined, undefined, undefined],
    [{ type: 'auto' }, undefined, undefined],
    [{ type: 'none' }, false, { type: 'none' }],
    [{ type: 'required' }, undefined, { type: 'any' }],
    [{ type: 'required' }, false, { type: 'any', disable_parallel_tool_use: true }],
    [{ type: 'required', function: 'weather.get' }, undefined, { type: 'tool', name: 'weather_get' }],
    [undefined, false, { type: 'auto', disable_parallel_tool_use: true }],
  ] as const)('converts choice %j, parallel %j to %j', (toolChoice, parallel, expected) => {
    const more = parallel === undefined ? {} : { parallelToolCalls: parallel };
    expect(buildBody({ tools: [weather], toolChoice, ...more }).tool_choice).toEqual(expected);
  });

  it.each(['claude-opus-5-5', 'claude-sonnet-5-5', 'claude-fable-5-1'])(
    'asks %s, which cannot be forced, for the arguments of a forced tool as an answer by their schema',
    (upstreamModel) => {
      const parameters = {
        type: 'object',
        properties: { city: { type: 'string' }, at: { type: 'object', properties: {} } },
      };
      const tool = { ...weather, parameters: { ...parameters, required: ['city'] } };
      for (const toolChoice of [{ type: 'required' }, { type: 'required', function: 'weather.get' }] as const) {
        const body = buildBody({ tools: [tool], toolChoice }, { upstreamModel });
        expect(body).toMatchObject({ tools: [{ name: 'weather_get' }], tool_choice: { type: 'none' } });
        expect(body.output_config).toEqual({
          format: {
            type: 'json_schema',
            schema: {
              type: 'object',
              description: 'Arguments of weather.get.\n\nWeather',
              properties: {
                city: { type: 'string' },
                at: { type: 'object', properties: {}, additionalProperties: false },
              },
              required: ['city'],
              additionalProperties: false,
            },
          },
        });
      }
    },
  );

  it('lets a model that cannot be forced choose one of several tools by the schema of its answer', () => {
    const tools = [weather, { name: 'clock', description: undefined, parameters: undefined }];
    const { output_config: config } = buildBody(
      { tools, toolChoice: { type: 'required' } },
      { upstreamModel: 'claude-opus-5-5' },
    );
    const named = (name: string) => ({ properties: { tool: { enum: [name] } }, required: ['tool', 'arguments'] });
    expect(config).toMatchObject({
      format: {
        schema: { properties: { call: { anyOf: [named('weather.get'), named('clock')] } }, required: ['call'] },
      },
    });
  });

  it('rejects a forced tool with a map for a model that cannot be forced, by the field of the choice', () => {
    const parameters = { type: 'object', additionalProperties: { type: 'string' } };
    const request = { tools: [{ ...weather, parameters }], toolChoice: { type: 'required' } as const };
    expect(() => buildBody(request, { upstreamModel: 'claude-opus-5-5' })).toThrow(
      expect.objectContaining({
        code: 'MODEL_CAPABILITY_UNSUPPORTED',
        fields: [expect.objectContaining({ field: 'tool_choice' })],
      }),
    );
  });

  it('supports the tools of the vendor', () => {
    const options = { allowed_domains: ['example.org'], unknown: 1 };
    const providerTools = [
      { type: 'web' as const, options },
      { type: 'code_execution' as const, options: {} },
    ];
    expect(buildBody({ providerTools }).tools).toEqual([
      { type: 'web_search_20250305', name: 'web_search', max_uses: 5, allowed_domains: ['example.org'] },
      { type: 'code_execution_20250825', name: 'code_execution' },
    ]);
  });
});

describe('settings', () => {
  it.each([
    ['claude-opus-5-5', 'none', { output_config: { effort: 'low' } }],
    ['claude-opus-5-5', 'high', { output_config: { effort: 'high' } }],
    ['claude-sonnet-5-5', 'none', { thinking: { type: 'between_tools' } }],
    ['claude-haiku-5-5', 'none', { thinking: { type: 'disabled' } }],
    ['claude-opus-5', 'medium', { output_config: { effort: 'medium' } }],
    ['claude-haiku-4-5', 'medium', { thinking: { type: 'enabled', budget_tokens: 8_192 } }],
    ['claude-haiku-4-5', 'high', { thinking: { type: 'enabled', budget_tokens: 10_000 } }],
    ['claude-haiku-4-5', 'none', { thinking: { type: 'disabled' } }],
    ['claude-next', 'none', { output_config: { effort: 'low' } }],
  ] as const)('converts the reasoning effort for %s from %s to %j', (upstreamModel, reasoningEffort, expected) => {
    const { model: _m, max_tokens: _t, messages: _s, ...rest } = buildBody({ reasoningEffort }, { upstreamModel });
    expect(rest).toEqual(expected);
  });

  it('leaves reasoning out if the answer is too short for it', () => {
    const short = { upstreamModel: 'claude-haiku-4-5', maxOutputTokens: 1_500 };
    expect(buildBody({ reasoningEffort: 'low' }, short)).not.toHaveProperty('thinking');
  });

  it.each([{ type: 'required' }, { type: 'required', function: 'clock' }] as const)(
    'leaves a thinking budget out if %j forces a tool',
    (toolChoice) => {
      const older = { upstreamModel: 'claude-haiku-4-5' };
      const tools = [{ name: 'clock', description: undefined, parameters: undefined }];
      const body = buildBody({ reasoningEffort: 'high', tools, toolChoice, temperature: 0 }, older);
      expect(body).toMatchObject({ tool_choice: { type: expect.stringMatching(/any|tool/) }, temperature: 0 });
      expect(body).not.toHaveProperty('thinking');
      const free = buildBody({ reasoningEffort: 'high', tools, toolChoice: { type: 'auto' } }, older);
      expect(free).toHaveProperty('thinking');
    },
  );

  it('sends a temperature only to models that support it, on their scale', () => {
    expect(buildBody({ temperature: 0.2 })).not.toHaveProperty('temperature');
    const older = { upstreamModel: 'claude-haiku-4-5' };
    expect(buildBody({ temperature: 0.2 }, older).temperature).toBe(0.2);
    expect(buildBody({ temperature: 2 }, older).temperature).toBe(1);
    expect(buildBody({ temperature: 0, reasoningEffort: 'low' }, older)).not.toHaveProperty('temperature');
    expect(buildBody({ temperature: 0 }, { upstreamModel: 'glm-5' }).temperature).toBe(0);
  });

  it('sends the bound, stop sequences and stream', () => {
    expect(buildBody({ stop: ['END'] }, { isStream: true })).toMatchObject({
      max_tokens: 20_000,
      stop_sequences: ['END'],
      stream: true,
    });
  });
});

describe('structured output', () => {
  it('converts the schema to the dialect of the vendor, and mentions lost constraints', () => {
    const schema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      additionalProperties: false,
      required: ['n', 'k', 'list', 'ref'],
      properties: {
        n: { type: 'integer', minimum: 1, maximum: 9, description: 'A number.' },
        k: { type: ['string', 'null'], enum: ['a', null] },
        list: { type: 'array', minItems: 3, items: { oneOf: [{ type: 'string', format: 'color' }, { const: 7 }] } },
        ref: { $ref: '#/definitions/leaf', description: 'dropped' },
      },
      definitions: { leaf: { type: 'string', format: 'date', minLength: 2 } },
    };
    const outputFormat = { type: 'json_schema' as const, json_schema: { name: 'd', schema } };
    expect(buildBody({ outputFormat, reasoningEffort: 'low' }).output_config).toEqual({
      effort: 'low',
      format: {
        type: 'json_schema',
        schema: {
          type: 'object',
          additionalProperties: false,
          required: ['n', 'k', 'list', 'ref'],
          properties: {
            n: { type: 'integer', description: 'A number.\n\n{minimum: 1, maximum: 9}' },
            k: { enum: ['a', null], description: '{type: ["string","null"]}' },
            list: {
              type: 'array',
              description: '{minItems: 3}',
              items: { anyOf: [{ type: 'string', description: '{format: "color"}' }, { enum: [7] }] },
            },
            ref: { $ref: '#/$defs/leaf' },
          },
          $defs: { leaf: { type: 'string', format: 'date', description: '{minLength: 2}' } },
        },
      },
    });
  });

  it('rejects a free-form map, which the vendor does not support', () => {
    const schema = { type: 'object', additionalProperties: { type: 'string' } };
    const json_schema = { name: 'd', schema, strict: false };
    expect(() => buildBody({ outputFormat: { type: 'json_schema', json_schema } })).toThrow(
      expect.objectContaining({ code: 'MODEL_CAPABILITY_UNSUPPORTED', status: 400 }),
    );
  });

  it('asks for JSON without a schema by an instruction', () => {
    const outputFormat = { type: 'json_object' } as const;
    expect(buildBody({ outputFormat }).system).toMatch(/^Answer with one JSON value/);
    const messages = [message('system', 'Be short.'), message('user', 'hi')];
    const body = buildBody({ outputFormat, messages });
    expect(body.system).toMatch(/^Be short\.\n\nAnswer with one JSON value/);
    expect(body).not.toHaveProperty('output_config');
  });

  it('leaves thinking out for a call of another provider, and keeps it for an own one', () => {
    const toolCalls = [{ id: 'c', type: 'function' as const, function: { name: 'clock', arguments: '{}' } }];
    const blocks = [
      { type: 'thinking', thinking: 'a', signature: 's' },
      { type: 'tool_use', id: 'c', name: 'clock', input: {} },
    ];
    const upstreamModel = 'claude-haiku-4-5';
    const continuation = { provider: 'anthropic', upstreamModel, content: { blocks } } as const;
    const build = (more: object) => {
      const messages = [
        message('user', 'a'),
        message('assistant', '', { toolCalls, ...more }),
        message('tool', '1', { toolCallId: 'c' }),
      ];
      return buildBody({ messages, reasoningEffort: 'low', temperature: 0 }, { upstreamModel });
    };
    expect(build({})).not.toHaveProperty('thinking');
    expect(build({})).toMatchObject({ temperature: 0 });
    expect(build({ continuation })).toMatchObject({ thinking: { type: 'enabled' } });
  });
});
