import { expect, it } from '@jest/globals';
import { type CompatibleResponsesBody, compatibleResponsesBody } from '@tollgate/api/compatible';
import { responsesDialect } from './responses-dialect.js';

const clock = { type: 'function', name: 'clock', parameters: { type: 'object' }, strict: null };
const image = { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'auto' };

function body(more: object): CompatibleResponsesBody {
  return compatibleResponsesBody.parse({ input: 'hi', ...more });
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
    content.map((part) => (part.type === 'text' ? part.text : part.file.mime_type)).join(','),
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
