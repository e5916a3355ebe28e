import { expect, it } from '@jest/globals';
import { type MessagesBody, messagesBody } from '@tollgate/api/compatible';
import { messagesDialect } from './messages-dialect.js';

const clock = { name: 'clock', input_schema: { type: 'object', properties: { zone: { type: 'string' } } } };
const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } };

function body(more: object): MessagesBody {
  return messagesBody.parse({ max_tokens: 100, messages: [{ role: 'user', content: 'hi' }], ...more });
}

const conversation = {
  system: [
    { type: 'text', text: 'one', cache_control: { type: 'ephemeral' } },
    { type: 'text', text: 'two' },
  ],
  messages: [
    { role: 'user', content: [{ type: 'text', text: 'see ' }, { type: 'text', text: 'this' }, image] },
    {
      role: 'assistant',
      content: [
        { type: 'redacted_thinking', data: 'x' },
        { type: 'text', text: 'wait' },
        { type: 'tool_use', id: 'c', name: 'f', input: { a: 1 } },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'c', is_error: true, content: [{ type: 'text', text: 'no' }, image] },
        { type: 'tool_result', tool_use_id: 'd' },
        { type: 'document', title: 'T', source: { type: 'text', media_type: 'text/plain', data: 'doc' } },
        { type: 'search_result', source: 's', title: 't', content: [{ type: 'text', text: 'found' }] },
      ],
    },
    { role: 'system', content: 'now' },
  ],
};

it('converts a body to messages that every provider supports', () => {
  const { messages } = messagesDialect.toModelRequest(body(conversation));
  const shown = messages.map(({ role, content, toolCalls, toolCallId }) => [
    role,
    content.map((part) => (part.type === 'text' ? part.text : part.type === 'file' ? part.file.mime_type : part.url)),
    toolCalls.map((call) => `${call.id} ${call.function?.name} ${call.function?.arguments}`).join(','),
    toolCallId,
  ]);
  expect(shown).toEqual([
    ['system', ['one\n\ntwo'], '', undefined],
    ['user', ['see this', 'image/png'], '', undefined],
    ['assistant', ['wait'], 'c f {"a":1}', undefined],
    ['tool', ['Error: no'], '', 'c'],
    ['tool', [], '', 'd'],
    ['user', ['image/png', 'T\ndoct\ns\nfound\n'], '', undefined],
    ['system', ['now'], '', undefined],
  ]);
});

it('counts exactly the messages that the model gets', () => {
  const asked = body(conversation);
  const texts = messagesDialect.toModelRequest(asked).messages.map(({ content, toolCalls }) => {
    const calls = toolCalls.map((call) => (call.function?.name ?? '') + call.function?.arguments);
    return content.map((part) => (part.type === 'text' ? part.text : '')).join('') + calls.join('');
  });
  expect(messagesDialect.input(asked).messages).toEqual(texts);
  expect(messagesDialect.input(asked).files).toHaveLength(2);
});

it('requires the capabilities of all its parts, including tool results', () => {
  expect(messagesDialect.capabilities(body(conversation), false)).toEqual(['vision']);
  const pdf = { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'AAAA' } };
  const result = { type: 'tool_result', tool_use_id: 'c', content: [pdf] };
  const more = { messages: [{ role: 'user', content: [result] }], tools: [clock] };
  expect(messagesDialect.capabilities(body(more), false)).toEqual(['document', 'tool_use']);
});

it.each([
  [{ type: 'auto' }, { type: 'auto' }],
  [{ type: 'any' }, { type: 'required' }],
  [
    { type: 'tool', name: 'clock' },
    { type: 'required', function: 'clock' },
  ],
  [{ type: 'none' }, { type: 'none' }],
])('converts the tool choice %j', (choice, wanted) => {
  expect(messagesDialect.toModelRequest(body({ tools: [clock], tool_choice: choice })).toolChoice).toEqual(wanted);
});

it('requests one call at a time', () => {
  const choice = { type: 'auto', disable_parallel_tool_use: true };
  const request = messagesDialect.toModelRequest(body({ tools: [clock], tool_choice: choice }));
  expect(request.parallelToolCalls).toBe(false);
});

it.each([
  [{}, undefined],
  [{ thinking: { type: 'disabled' } }, 'none'],
  [{ thinking: { type: 'adaptive' } }, undefined],
  [{ thinking: { type: 'enabled', budget_tokens: 1024 } }, 'low'],
  [{ thinking: { type: 'enabled', budget_tokens: 10_000 } }, 'medium'],
  [{ thinking: { type: 'enabled', budget_tokens: 32_000 } }, 'high'],
  [{ thinking: { type: 'adaptive' }, output_config: { effort: 'max' } }, 'high'],
])('converts the thinking settings %j', (more, effort) => {
  expect(messagesDialect.toModelRequest(body(more)).reasoningEffort).toBe(effort);
});

it('finds top_k, which not every provider has', () => {
  expect(messagesDialect.parameters!(body({ top_k: 5 }))).toEqual([{ parameter: 'top_k', field: 'top_k', value: 5 }]);
  expect(messagesDialect.toModelRequest(body({ top_k: 5 })).sampling).toEqual({ topK: 5 });
  expect(messagesDialect.parameters!(body({}))).toEqual([]);
});

it.each([{ context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] } }])(
  'rejects options that another vendor does not support: %j',
  (more) => {
    const refusal = expect.objectContaining({ code: 'MODEL_CAPABILITY_UNSUPPORTED' });
    expect(() => messagesDialect.toModelRequest(body(more))).toThrow(refusal);
  },
);

it('leaves earlier thinking out', () => {
  const edits = [{ type: 'clear_thinking_20251015', keep: 'all' }];
  expect(messagesDialect.toModelRequest(body({ context_management: { edits } })).messages).toHaveLength(1);
});

it('describes the vendor’s client tools to models that do not know them', () => {
  const { tools } = messagesDialect.toModelRequest(
    body({
      tools: [
        { type: 'bash_20250124', name: 'bash' },
        { type: 'text_editor_20250728', name: 'str_replace_based_edit_tool' },
        { type: 'memory_20250818', name: 'memory' },
        { type: 'tool_search_tool_regex_20251119', name: 'tool_search_tool_regex' },
        { ...clock, defer_loading: true },
      ],
    }),
  );
  expect(tools.map(({ name }) => name)).toEqual(['bash', 'str_replace_based_edit_tool', 'memory', 'clock']);
  for (const { parameters, description } of tools.slice(0, 3)) {
    expect(description).toMatch(/./);
    expect(parameters).toMatchObject({ type: 'object', properties: { command: { type: 'string' } } });
  }
});

it('offers the tools that are available after the last change', () => {
  const change = (type: string, tool: object) => ({ role: 'system', content: [{ type, tool }] });
  const reference = { type: 'tool_reference', name: 'clock' };
  const added = change('tool_addition', { type: 'tool_definition', definition: { ...clock, name: 'watch' } });
  const removed = change('tool_removal', reference);
  const user = { role: 'user', content: 'hi' };
  const offered = (...messages: object[]) =>
    messagesDialect
      .toModelRequest(body({ tools: [clock], messages: [user, ...messages] }))
      .tools.map(({ name }) => name);
  expect(offered(added)).toEqual(['clock', 'watch']);
  expect(offered(added, removed)).toEqual(['watch']);
  expect(offered(removed, change('tool_addition', reference))).toEqual(['clock']);
});

it('converts a search of the vendor to that of the model’s own provider', () => {
  const search = { type: 'web_search_20250305', name: 'web_search', blocked_domains: ['example.com'], max_uses: 8 };
  const asked = body({ tools: [search] });
  expect(messagesDialect.toModelRequest(asked)).toMatchObject({
    tools: [],
    providerTools: [{ type: 'web', options: { blocked_domains: ['example.com'] } }],
  });
  expect(messagesDialect.capabilities(asked, false)).toEqual(['web_search']);
});

it('shows references to tools as text, and leaves out the vendor’s own tools of earlier answers', () => {
  const { messages } = messagesDialect.toModelRequest(
    body({
      messages: [
        { role: 'assistant', content: [{ type: 'server_tool_use', id: 's', name: 'web_search', input: {} }] },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'c', content: [{ type: 'tool_reference', tool_name: 'f' }] }],
        },
      ],
    }),
  );
  expect(messages.map(({ role, content }) => [role, content])).toEqual([
    ['assistant', []],
    ['tool', [{ type: 'text', text: 'The tool f is available.' }]],
  ]);
});

it.each<[object, RegExp]>([
  [{ tools: [{ type: 'computer_20251124', name: 'computer' }] }, /tools of type computer_20251124/],
  [{ tools: [{ type: 'browser_toolset_20260801' }] }, /tools of type browser_toolset_20260801/],
  [{ tools: [{ type: 'web_fetch_20250910', name: 'web_fetch' }] }, /tools of type web_fetch_20250910/],
  [{ messages: [{ role: 'user', content: [{ type: 'future' }] }] }, /blocks of type future/],
  [{ messages: [{ role: 'assistant', content: [{ type: 'future' }] }] }, /blocks of type future/],
])('rejects what only the vendor has, by its type: %j', (more, reason) => {
  expect(() => messagesDialect.toModelRequest(body(more))).toThrow(reason);
});
