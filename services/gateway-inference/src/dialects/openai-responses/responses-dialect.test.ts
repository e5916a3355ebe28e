import { expect, it } from '@jest/globals';
import { type CompatibleResponsesBody, expandedResponsesBody } from '@tollgate/api/compatible';
import { responsesDialect } from './responses-dialect.js';

const clock = { type: 'function', name: 'clock', parameters: { type: 'object' }, strict: null };
const image = { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'auto' };

function body(more: object): CompatibleResponsesBody {
  return expandedResponsesBody.parse({ input: 'hi', ...more });
}

it('keeps the calls of an assistant with its message, and the files of an output separate', () => {
  const { messages } = responsesDialect.toModelRequest(
    body({
      instructions: 'sys',
      input: [
        { role: 'developer', content: 'dev' },
        {
          role: 'assistant',
          content: [
            { type: 'output_text', text: 'a' },
            { type: 'refusal', refusal: 'b' },
          ],
        },
        { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c', output: [{ type: 'input_text', text: 'o' }, image] },
      ],
    }),
  );
  const shown = messages.map(({ role, content, toolCalls, toolCallId }) => [
    role,
    content
      .map((part) => (part.type === 'text' ? part.text : part.type === 'file' ? part.file.mime_type : part.url))
      .join(','),
    toolCalls.map(({ id }) => id).join(','),
    toolCallId,
  ]);
  expect(shown).toEqual([
    ['system', 'sys', '', undefined],
    ['system', 'dev', '', undefined],
    ['assistant', 'ab', 'c', undefined],
    ['tool', 'o', '', 'c'],
    ['user', 'image/png', '', undefined],
  ]);
});

it('puts the outputs of all calls after them, and their files after those', () => {
  const output = (call_id: string) => ({ type: 'function_call_output', call_id, output: [image] });
  const call = (call_id: string) => ({ type: 'function_call', call_id, name: 'f', arguments: '{}' });
  const asked = body({ input: [call('c'), call('d'), output('c'), output('d'), { role: 'user', content: 'so?' }] });
  const { messages } = responsesDialect.toModelRequest(asked);
  expect(messages.map(({ role, content }) => `${role} ${content.length}`)).toEqual([
    'assistant 0',
    'tool 0',
    'tool 0',
    'user 2',
    'user 1',
  ]);
  expect(responsesDialect.input(asked).messages).toHaveLength(messages.length);
});

it('counts exactly the messages that the model gets', () => {
  const asked = body({
    instructions: 'sys',
    input: [
      { role: 'user', content: 'q' },
      { role: 'assistant', content: 'a' },
      { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c', output: [{ type: 'input_text', text: 'o' }, image] },
    ],
  });
  const texts = responsesDialect.toModelRequest(asked).messages.map(({ content, toolCalls }) => {
    const calls = toolCalls.map((call) => (call.function?.name ?? '') + call.function?.arguments);
    return content.map((part) => (part.type === 'text' ? part.text : '')).join('') + calls.join('');
  });
  expect(responsesDialect.input(asked).messages).toEqual(texts);
  expect(responsesDialect.input(asked).files).toHaveLength(1);
});

it.each([
  ['auto', 'auto', ['clock', 'other'], { type: 'auto' }],
  ['a function', { type: 'function', name: 'clock' }, ['clock', 'other'], { type: 'required', function: 'clock' }],
  [
    'some functions',
    { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'other' }] },
    ['other'],
    { type: 'required' },
  ],
])('offers tools by the tool choice: %s', (_what, choice, offered, wanted) => {
  const tools = [clock, { ...clock, name: 'other' }];
  const request = responsesDialect.toModelRequest(body({ tools, tool_choice: choice, parallel_tool_calls: false }));
  expect(request.tools.map(({ name }) => name)).toEqual(offered);
  expect(request.toolChoice).toEqual(wanted);
  expect(request.parallelToolCalls).toBe(false);
});

it('sends a schema with free-form maps unchanged if it is not strict', () => {
  const schema = { type: 'object', additionalProperties: { type: 'string' } };
  const asked = (strict: boolean) => body({ text: { format: { type: 'json_schema', name: 'd', schema, strict } } });
  const { outputFormat } = responsesDialect.toModelRequest(asked(false));
  expect(outputFormat?.json_schema).toMatchObject({ schema, strict: false });
  const refusal = expect.objectContaining({ code: 'VALIDATION_ERROR' });
  expect(() => responsesDialect.toModelRequest(asked(true))).toThrow(refusal);
});

const patch = {
  type: 'custom',
  name: 'apply_patch',
  description: 'Edits.',
  format: { type: 'grammar', definition: 'G' },
};
const agents = {
  type: 'namespace',
  name: 'agents',
  description: 'Agents.',
  tools: [{ type: 'function', name: 'wait' }],
};
const functions = { type: 'namespace', name: 'functions', description: '', tools: [patch] };

it('offers tools of every kind that the client runs as functions, under one name each', () => {
  const added = { type: 'additional_tools', role: 'developer', tools: [functions, agents] };
  const { tools, providerTools } = responsesDialect.toModelRequest(
    body({ input: [added, { role: 'user', content: 'hi' }], tools: [clock, { type: 'local_shell' }] }),
  );
  expect(tools.map(({ name }) => name)).toEqual(['clock', 'local_shell', 'apply_patch', 'agents__wait']);
  expect(tools[2]).toMatchObject({
    description: expect.stringMatching(/^Edits\.\n\n.*grammar:\nG$/),
    parameters: { properties: { input: { type: 'string' } }, required: ['input'] },
  });
  expect(tools[3]!.description).toBe('Agents.');
  expect(providerTools).toBeUndefined();
});

it('converts calls of every kind and their outputs', () => {
  const { messages } = responsesDialect.toModelRequest(
    body({
      input: [
        { type: 'custom_tool_call', call_id: 'c', name: 'apply_patch', input: 'P' },
        { type: 'custom_tool_call_output', call_id: 'c', output: 'done' },
        { type: 'function_call', call_id: 'd', name: 'wait', namespace: 'agents', arguments: '{}' },
        { type: 'local_shell_call', id: 'item', call_id: 'e', action: { type: 'exec', command: ['ls'] } },
        { type: 'local_shell_call_output', id: 'item', output: 'files' },
        { type: 'web_search_call', id: 'w', status: 'completed' },
      ],
    }),
  );
  expect(messages.flatMap(({ toolCalls }) => toolCalls.map(({ id, function: fn }) => [id, fn]))).toEqual([
    ['c', { name: 'apply_patch', arguments: '{"input":"P"}' }],
    ['d', { name: 'agents__wait', arguments: '{}' }],
    ['e', { name: 'local_shell', arguments: '{"command":["ls"],"type":"exec"}' }],
  ]);
  expect(messages.filter(({ role }) => role === 'tool').map(({ toolCallId }) => toolCallId)).toEqual(['c', 'e']);
});

it('converts a search of the vendor to that of the model’s own provider', () => {
  const search = { type: 'web_search', filters: { allowed_domains: ['example.com'] }, external_web_access: false };
  const asked = body({ tools: [search] });
  expect(responsesDialect.toModelRequest(asked).providerTools).toEqual([
    { type: 'web', options: { allowed_domains: ['example.com'] } },
  ]);
  expect(responsesDialect.capabilities(asked, false)).toEqual(['web_search']);
});

it.each<[object, RegExp]>([
  [{ tools: [{ type: 'apply_patch' }] }, /tools of type apply_patch/],
  [{ tools: [{ type: 'shell', environment: { type: 'local' } }] }, /tools of type shell/],
  [{ input: [{ type: 'future_item' }] }, /items of type future_item/],
  [{ tools: [{ type: 'web_search' }], tool_choice: { type: 'web_search' } }, /cannot be forced to use web_search/],
])('rejects what only the vendor has, by its type: %j', (more, reason) => {
  expect(() => responsesDialect.toModelRequest(body(more))).toThrow(reason);
});

it('passes a forced tool on under the name that it is offered by', () => {
  const asked = body({ tools: [functions, agents], tool_choice: { type: 'custom', name: 'apply_patch' } });
  expect(responsesDialect.toModelRequest(asked).toolChoice).toEqual({ type: 'required', function: 'apply_patch' });
});
