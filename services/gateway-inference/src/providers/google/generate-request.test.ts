import { describe, expect, it } from '@jest/globals';
import type { ModelRequest } from '../../domain/model-request.js';
import type { ModelCall } from '../contract/provider.js';
import { generateRequest } from './generate-request.js';

type Message = ModelRequest['messages'][0];

function message(role: Message['role'], text: string, more: Partial<Message> = {}): Message {
  const content = text === '' ? [] : [{ type: 'text' as const, text }];
  return { role, content, toolCalls: [], toolCallId: undefined, ...more };
}

function buildBody(request: Partial<ModelRequest>, upstreamModel = 'gemini-3.8-flash', maxOutputTokens = 77) {
  const all: ModelRequest = {
    messages: [message('user', 'hi')],
    tools: [],
    toolChoice: undefined,
    outputFormat: undefined,
    temperature: undefined,
    topP: undefined,
    stop: [],
    reasoningEffort: undefined,
    ...request,
  };
  return generateRequest({ upstreamModel, isStream: false, maxOutputTokens, request: () => all } as ModelCall);
}

const calls = ['a', 'b'].map((id) => ({
  id,
  type: 'function' as const,
  function: { name: `kv.${id}`, arguments: '{"k":1}' },
}));

describe('the conversation', () => {
  const messages = [
    message('system', 'Be short.'),
    message('user', 'See:', {
      content: [
        { type: 'text', text: 'See:' },
        { type: 'file', file: { mime_type: 'Application/PDF', data_base64: 'AAAA' } },
      ],
    }),
    message('assistant', 'Looking.', { toolCalls: calls }),
    message('tool', '{"v":42}', { toolCallId: 'a' }),
    message('tool', 'none', { toolCallId: 'b' }),
  ];

  it('separates the system prompt, alternates turns, and names the call of a result', () => {
    const { systemInstruction, contents } = buildBody({ messages });
    expect(systemInstruction).toEqual({ parts: [{ text: 'Be short.' }] });
    expect(contents).toEqual([
      { role: 'user', parts: [{ text: 'See:' }, { inlineData: { mimeType: 'application/pdf', data: 'AAAA' } }] },
      {
        role: 'model',
        parts: [
          { text: 'Looking.' },
          {
            functionCall: { id: 'a', name: 'kv_a', args: { k: 1 } },
            thoughtSignature: 'skip_thought_signature_validator',
          },
          { functionCall: { id: 'b', name: 'kv_b', args: { k: 1 } } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'a', name: 'kv_a', response: { v: 42 } } },
          { functionResponse: { id: 'b', name: 'kv_b', response: { output: 'none' } } },
        ],
      },
    ]);
  });

  it('signs nothing for models without signatures', () => {
    expect(JSON.stringify(buildBody({ messages }, 'gemini-2.5-flash-lite'))).not.toContain('thoughtSignature');
  });

  it('sends back an answer of the vendor in its original form', () => {
    const content = [{ functionCall: { id: 'a', name: 'kv_a', args: {} }, thoughtSignature: 'real' }];
    const continuation = { provider: 'google-ai-studio' as const, upstreamModel: 'gemini-3.8-flash', content };
    const continued = [message('user', 'q'), message('assistant', 'x', { toolCalls: calls, continuation })];
    expect(buildBody({ messages: continued }).contents).toEqual([expect.anything(), { role: 'model', parts: content }]);
    expect(JSON.stringify(buildBody({ messages: continued }, 'gemini-3.5-flash').contents)).not.toContain('real');
  });

  it('rejects a result without its call', () => {
    const refused = [message('tool', 'x', { toolCallId: 'nobody' })];
    expect(() => buildBody({ messages: refused })).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }));
  });

  it.each(['', '7', '{"a":'])('sends the arguments %j of an earlier call as {}', (text) => {
    const toolCalls = [{ ...calls[0]!, function: { name: 'f', arguments: text } }];
    const { contents } = buildBody({ messages: [message('user', 'a'), message('assistant', '', { toolCalls })] });
    expect(contents).toMatchObject([{}, { parts: [{ functionCall: { id: 'a', name: 'f', args: {} } }] }]);
  });
});

it('rejects a link to an image by its field', () => {
  const linked = { type: 'linked_image', url: 'https://example.com/a.png', field: 'messages[0].content[0]' } as const;
  const refusal = expect.objectContaining({
    code: 'MODEL_CAPABILITY_UNSUPPORTED',
    fields: [expect.objectContaining({ field: 'messages[0].content[0]' })],
  });
  expect(() => buildBody({ messages: [message('user', '', { content: [linked] })] })).toThrow(refusal);
});

describe('a request with only system messages', () => {
  it('sends the only one as the content of the user', () => {
    const body = buildBody({ messages: [message('system', 'Write a haiku.'), message('user', '')] });
    expect(body.contents).toEqual([{ role: 'user', parts: [{ text: 'Write a haiku.' }] }]);
    expect(body).not.toHaveProperty('systemInstruction');
  });

  it('keeps the others as the system instruction', () => {
    const body = buildBody({ messages: [message('system', 'Be short.'), message('system', 'Write a haiku.')] });
    expect(body.systemInstruction).toEqual({ parts: [{ text: 'Be short.' }] });
    expect(body.contents).toEqual([{ role: 'user', parts: [{ text: 'Write a haiku.' }] }]);
  });

  it('rejects the request if all of them are empty', () => {
    const refusal = expect.objectContaining({ code: 'MODEL_CAPABILITY_UNSUPPORTED' });
    expect(() => buildBody({ messages: [message('system', ''), message('user', '')] })).toThrow(refusal);
  });
});

describe('tools', () => {
  const tools = [
    { name: 'weather.get', description: 'W', parameters: { type: 'object', $schema: 'x', minProperties: 1 } },
  ];

  it('declares tools with JSON Schema in the dialect of the vendor', () => {
    expect(buildBody({ tools }).tools).toEqual([
      {
        functionDeclarations: [
          {
            name: 'weather_get',
            description: 'W',
            parametersJsonSchema: { type: 'object', description: '{minProperties: 1}' },
          },
        ],
      },
    ]);
  });

  it.each([
    [{ type: 'auto' }, { mode: 'AUTO' }],
    [{ type: 'none' }, { mode: 'NONE' }],
    [{ type: 'required' }, { mode: 'ANY' }],
    [
      { type: 'required', function: 'weather.get' },
      { mode: 'ANY', allowedFunctionNames: ['weather_get'] },
    ],
  ] as const)('converts choice %j to %j', (toolChoice, functionCallingConfig) => {
    expect(buildBody({ tools, toolChoice }).toolConfig).toEqual({ functionCallingConfig });
  });

  it('supports the tools of the vendor, alone or with others', () => {
    const providerTools = [
      { type: 'web' as const, options: {} },
      { type: 'code_execution' as const, options: {} },
    ];
    expect(buildBody({ providerTools })).toMatchObject({ tools: [{ googleSearch: {} }, { codeExecution: {} }] });
    expect(buildBody({ providerTools })).not.toHaveProperty('toolConfig');
    expect(buildBody({ tools, providerTools }).toolConfig).toEqual({ includeServerSideToolInvocations: true });
  });
});

describe('settings', () => {
  it('sends the bound, sampling and stop sequences', () => {
    expect(buildBody({ temperature: 0, topP: 0.9, stop: ['END'] }).generationConfig).toEqual({
      maxOutputTokens: 77,
      temperature: 0,
      topP: 0.9,
      stopSequences: ['END'],
    });
  });

  it.each([
    ['gemini-3.8-flash', 'none', { thinkingLevel: 'MINIMAL' }],
    ['gemini-3.1-pro-preview', 'none', { thinkingLevel: 'LOW' }],
    ['gemini-3.8-flash', 'high', { thinkingLevel: 'HIGH' }],
    ['gemini-2.5-flash-lite', 'none', { thinkingBudget: 0 }],
    ['gemini-2.5-pro', 'none', { thinkingBudget: 128 }],
    ['gemini-2.5-flash-lite', 'medium', { thinkingBudget: 8192 }],
    ['gemini-2.5-flash', 'high', { thinkingBudget: 24_576 }],
  ] as const)('converts the reasoning effort for %s from %s to %j', (model, reasoningEffort, thinkingConfig) => {
    expect(buildBody({ reasoningEffort }, model, 65_536).generationConfig).toMatchObject({ thinkingConfig });
  });

  it.each([
    ['gemini-2.5-flash', 'high', 8_192, 4_096],
    ['gemini-2.5-flash', 'low', 1_000, 500],
    ['gemini-2.5-pro', 'high', 200, 128],
  ] as const)(
    'limits the reasoning of %s with effort %s to half of the bound %d, or to the model’s minimum',
    (model, reasoningEffort, bound, thinkingBudget) => {
      const { generationConfig } = buildBody({ reasoningEffort }, model, bound);
      expect(generationConfig).toMatchObject({ maxOutputTokens: bound, thinkingConfig: { thinkingBudget } });
    },
  );

  it('sends a free-form map in the dialect of the vendor', () => {
    const schema = { type: 'object', additionalProperties: { type: 'string', minLength: 2 } };
    const outputFormat = { type: 'json_schema' as const, json_schema: { name: 'd', schema, strict: false } };
    expect(buildBody({ outputFormat }).generationConfig).toMatchObject({
      responseJsonSchema: { additionalProperties: { type: 'string', description: '{minLength: 2}' } },
    });
  });

  it('requests JSON with or without a schema', () => {
    expect(buildBody({ outputFormat: { type: 'json_object' } }).generationConfig).toEqual({
      maxOutputTokens: 77,
      responseMimeType: 'application/json',
    });
    const schema = {
      type: 'object',
      properties: { a: { type: ['string', 'null'], pattern: '^x' }, b: { oneOf: [{ const: true }, { const: 'y' }] } },
      required: ['a', 'b'],
      additionalProperties: false,
    };
    const outputFormat = { type: 'json_schema' as const, json_schema: { name: 'd', schema } };
    expect(buildBody({ outputFormat }).generationConfig).toEqual({
      maxOutputTokens: 77,
      responseMimeType: 'application/json',
      responseJsonSchema: {
        ...schema,
        properties: {
          a: { type: ['string', 'null'], description: '{pattern: "^x"}' },
          b: { anyOf: [{ description: '{enum: [true]}' }, { enum: ['y'] }] },
        },
      },
    });
  });
});
