import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@tollgate/runtime';
import { findVendorRefusal } from '@tollgate/testkit/vendor-rules';
import type { ModelRequest } from '../../domain/model-request.js';
import type { ModelCall } from '../contract/provider.js';
import { converseRequest } from './converse-request.js';

const user = { role: 'user', content: [{ type: 'text', text: 'hi' }], toolCalls: [], toolCallId: undefined } as const;
const tool = { name: 'look', description: undefined, parameters: undefined };

/** Returns the body for a request, which the vendor must accept. */
function convert(request: Partial<ModelRequest>, upstreamModel = 'amazon.nova-pro-v1:0'): JsonObject {
  const all = { messages: [user], tools: [], stop: [], ...request };
  const call = { upstreamModel, maxOutputTokens: 9, request: () => all } as unknown as ModelCall;
  const body = converseRequest(call, 'custom');
  expect(findVendorRefusal('/model/m/converse', JSON.parse(JSON.stringify(body)))).toBeUndefined();
  return body;
}

describe('requests of Converse', () => {
  it('sends a closed schema as a text', () => {
    const schema = { type: 'object', properties: { a: { type: 'string', maxLength: 5 } }, required: ['a'] };
    const body = convert({ outputFormat: { type: 'json_schema', json_schema: { name: 'x', schema } } } as never);
    const { textFormat } = body.outputConfig as { textFormat: { structure: { jsonSchema: { schema: string } } } };
    expect(JSON.parse(textFormat.structure.jsonSchema.schema)).toMatchObject({
      additionalProperties: false,
      properties: { a: { type: 'string', description: '{maxLength: 5}' } },
    });
  });

  it('limits the temperature to the maximum of the API', () => {
    expect(convert({ temperature: 1.7 }).inferenceConfig).toEqual({ maxTokens: 9, temperature: 1 });
    expect(convert({ temperature: 0.5 }).inferenceConfig).toEqual({ maxTokens: 9, temperature: 0.5 });
  });

  it.each([
    ['openai.gpt-oss-120b-1:0', 'high', { reasoning_effort: 'high' }],
    ['us.amazon.nova-2-lite-v1:0', 'high', { reasoningConfig: { type: 'enabled', maxReasoningEffort: 'medium' } }],
    ['us.amazon.nova-2-lite-v1:0', 'none', { reasoningConfig: { type: 'disabled' } }],
    ['meta.llama3-3-70b-instruct-v1:0', 'high', undefined],
  ] as const)('asks %s for the effort %s in its own way', (model, reasoningEffort, expected) => {
    expect(convert({ reasoningEffort }, model).additionalModelRequestFields).toEqual(expected);
  });

  it('leaves tools out where calls are forbidden, unless the conversation calls them', () => {
    const toolChoice = { type: 'none' } as const;
    expect(convert({ tools: [tool], toolChoice }).toolConfig).toBeUndefined();
    const call = { id: 'a', type: 'function', function: { name: 'look', arguments: '{}' } } as const;
    const messages = [
      user,
      { ...user, role: 'assistant', content: [], toolCalls: [call] },
      { ...user, role: 'tool', toolCallId: 'a' },
    ] as const;
    expect(convert({ messages, toolChoice }).toolConfig).toMatchObject({ tools: [{ toolSpec: { name: 'look' } }] });
  });

  it.each([
    ['no text', [{ text: ' ' }], []],
    ['reasoning without a signature', [{ reasoningContent: { reasoningText: { text: 'so' } } }], []],
    [
      'signed reasoning',
      [{ reasoningContent: { reasoningText: { text: 'so', signature: 's' } } }, { text: '' }],
      [{ reasoningContent: { reasoningText: { text: 'so', signature: 's' } } }],
    ],
    [
      'reasoning that is not shown',
      [{ reasoningContent: { redactedContent: 'cg==' } }],
      [{ reasoningContent: { redactedContent: 'cg==' } }],
    ],
  ])('sends back the blocks of an earlier answer with %s as the vendor accepts them', (_, kept, expected) => {
    const toolUse = { toolUseId: 'a', name: 'look', input: {} };
    const continuation = {
      provider: 'custom',
      upstreamModel: 'amazon.nova-pro-v1:0',
      content: { blocks: [...kept, { toolUse }] },
    };
    const call = { id: 'a', type: 'function', function: { name: 'look', arguments: '{}' } } as const;
    const messages = [
      user,
      { ...user, role: 'assistant', content: [], toolCalls: [call], continuation },
      { ...user, role: 'tool', toolCallId: 'a' },
    ] as never;
    const { messages: turns } = convert({ messages, tools: [tool] }) as { messages: { content: JsonObject[] }[] };
    expect(turns[1]!.content).toEqual([...expected, { toolUse }]);
  });

  it("refuses the provider's own tools", () => {
    const providerTools = [{ type: 'web', options: {} }] as const;
    expect(() => convert({ providerTools })).toThrow('this model has no tool web of its provider');
  });
});
