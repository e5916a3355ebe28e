import { describe, expect, it } from '@jest/globals';
import type { ModelRequest } from '../../domain/model-request.js';
import type { ModelCall } from '../contract/provider.js';
import { chatRequest } from './chat/chat-request.js';
import { responsesRequest } from './responses/responses-request.js';

type Provider = 'openai' | 'xai';
type JsonSchema = NonNullable<NonNullable<ModelRequest['outputFormat']>['json_schema']>;

function buildCall(format: JsonSchema): ModelCall {
  const request: ModelRequest = {
    messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }], toolCalls: [], toolCallId: undefined }],
    tools: [],
    toolChoice: undefined,
    outputFormat: { type: 'json_schema', json_schema: format },
    temperature: undefined,
    topP: undefined,
    stop: [],
    reasoningEffort: undefined,
  };
  return { upstreamModel: 'm', isStream: false, maxOutputTokens: 10, request: () => request } as ModelCall;
}

function sent(property: object, provider: Provider, more: Partial<JsonSchema> = {}): unknown {
  const schema = { type: 'object', properties: { a: property }, required: ['a'], additionalProperties: false };
  const call = buildCall({ name: 'd', schema, ...more });
  const chat = chatRequest(call, 'max_tokens', provider).response_format as { json_schema: { schema: object } };
  const responses = responsesRequest(call, provider).text as { format: object };
  expect(responses.format).toEqual({ type: 'json_schema', ...chat.json_schema });
  return (chat.json_schema.schema as typeof schema).properties.a;
}

describe('a strict schema', () => {
  it.each<[Provider, object, object]>([
    ['openai', { type: 'string', minLength: 2 }, { type: 'string', description: '{minLength: 2}' }],
    ['xai', { type: 'string', minLength: 2 }, { type: 'string', minLength: 2 }],
    ['openai', { type: 'string', format: 'uri' }, { type: 'string', description: '{format: "uri"}' }],
    ['xai', { type: 'string', format: 'uri' }, { type: 'string', format: 'uri' }],
    ['xai', { type: 'string', format: 'duration' }, { type: 'string', description: '{format: "duration"}' }],
    [
      'openai',
      { type: 'number', multipleOf: 5, default: 5 },
      { type: 'number', multipleOf: 5, description: '{default: 5}' },
    ],
    ['openai', { oneOf: [{ const: 'x' }, { type: 'null' }] }, { anyOf: [{ enum: ['x'] }, { type: 'null' }] }],
    [
      'openai',
      { type: 'array', items: {}, uniqueItems: true },
      { type: 'array', items: {}, description: '{uniqueItems: true}' },
    ],
    ['openai', { type: 'string', pattern: '^a+$' }, { type: 'string', pattern: '^a+$' }],
    ['openai', { type: 'string', pattern: '^(?=a)' }, { type: 'string', description: '{pattern: "^(?=a)"}' }],
    ['xai', { type: 'string', pattern: '\\bfoo' }, { type: 'string', description: '{pattern: "\\\\bfoo"}' }],
  ])('keeps only what %s supports of %j', (provider, property, expected) => {
    expect(sent(property, provider)).toEqual(expected);
  });
});

it.each<Provider>(['openai', 'xai'])('sends a schema that is not strict to %s unchanged', (provider) => {
  const map = { type: 'object', additionalProperties: { type: 'string', minLength: 2 } };
  expect(sent(map, provider, { strict: false })).toEqual(map);
});
