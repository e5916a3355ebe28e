// Parts of a body that only the dialect's own vendor reads: they are counted, so that the hold covers them.
import { describe, expect, it } from '@jest/globals';
import { inputOfChat } from '../model-requests/request-input.js';
import { messagesBody } from './anthropic-messages.js';
import { inputOfMessages } from './anthropic-messages-input.js';
import { chatCompletionsBody } from './chat.js';
import { expandedResponsesBody } from './compatible-responses.js';
import { inputOfCompatibleResponses } from './compatible-responses-input.js';

function ofMessages(role: 'user' | 'assistant', ...content: object[]) {
  return inputOfMessages(messagesBody.parse({ max_tokens: 1, messages: [{ role, content }] }));
}

describe('input of /v1/messages', () => {
  const image = { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } };

  it('includes an image by URL as a file of unknown size, in tool results as well', () => {
    const files = [{ mimeType: 'image/*', bytes: 0 }];
    expect(ofMessages('user', image)).toEqual({ messages: [''], files });
    const result = { type: 'tool_result', tool_use_id: 't', content: [image] };
    expect(ofMessages('user', result)).toEqual({ messages: ['', ''], files });
  });

  it('counts the bytes of thinking that returns to the vendor separately from the text', () => {
    const thinking = { type: 'thinking', thinking: 'häh', signature: 'c2ln' };
    const redacted = { type: 'redacted_thinking', data: 'ZGF0YQ==' };
    expect(ofMessages('assistant', thinking, redacted, { type: 'text', text: 'x' })).toEqual({
      messages: ['x'],
      sealedBytes: 4 + 4 + 8,
    });
  });
});

describe('tools and blocks of Anthropic', () => {
  const ofBody = (more: object) =>
    inputOfMessages(messagesBody.parse({ max_tokens: 1, messages: [{ role: 'user', content: 'x' }], ...more }));

  it('counts the definition of a tool that the vendor has written, and names the tools that it runs', () => {
    const tools = [
      { type: 'bash_20250124', name: 'bash' },
      { type: 'web_search_20250305', name: 'web_search' },
      { type: 'web_fetch_20250910', name: 'web_fetch' },
    ];
    expect(ofBody({ tools })).toEqual({
      messages: ['x'],
      extras: tools.map((tool) => JSON.stringify(tool)),
      sealedBytes: 3 * 1_024,
      providerTools: ['search', 'fetch'],
    });
  });

  it('counts tools that messages add, as tools', () => {
    const definition = { name: 'f', input_schema: { type: 'object' } };
    const content = [{ type: 'tool_addition', tool: { type: 'tool_definition', definition } }];
    const messages = [
      { role: 'user', content: 'x' },
      { role: 'system', content },
    ];
    expect(ofBody({ messages })).toEqual({ messages: ['x', ''], extras: [JSON.stringify(definition)] });
  });

  it('counts the JSON of an unknown block, and images that it may fetch', () => {
    const block = { type: 'future', image_url: 'https://example.com/a.png' };
    const json = JSON.stringify(block);
    expect(ofMessages('user', block)).toEqual({ messages: [json], files: [{ mimeType: 'image/*', bytes: 0 }] });
  });

  it('counts the bytes of results of the vendor’s own tools separately from the text', () => {
    const result = { type: 'web_search_tool_result', tool_use_id: 's', content: [{ url: 'https://example.com' }] };
    expect(ofMessages('assistant', result)).toEqual({ messages: [''], sealedBytes: JSON.stringify(result).length });
  });

  it.each([
    { cache_control: { type: 'ephemeral', ttl: '1h' } },
    { system: [{ type: 'text', text: 's', cache_control: { type: 'ephemeral', ttl: '1h' } }] },
  ])('reports that the prompt is to be cached for an hour: %j', (more) => {
    expect(ofBody(more).cachesForHour).toBe(true);
    expect(ofBody(JSON.parse(JSON.stringify(more).replace('1h', '5m'))).cachesForHour).toBeUndefined();
  });
});

describe('input of /v1/chat/completions', () => {
  const ofAssistant = (more: object) =>
    inputOfChat(chatCompletionsBody.parse({ messages: [{ role: 'assistant', content: 'x', ...more }] }));

  it('counts earlier thinking, which some servers read again, separately from the text', () => {
    expect(ofAssistant({ reasoning_content: 'häh', reasoning: 'so' })).toEqual({ messages: ['x'], sealedBytes: 4 + 2 });
    expect(ofAssistant({ reasoning_content: null, reasoning: { a: 1 } })).toEqual({ messages: ['x'] });
  });

  it('includes the text of a refusal', () => {
    expect(ofAssistant({ content: null, refusal: 'no' })).toEqual({ messages: ['no'] });
  });
});

describe('input of /v1/responses', () => {
  it('counts the bytes of encrypted reasoning and ignores other reasoning', () => {
    const reasoning = { type: 'reasoning', id: 'r', summary: [{ type: 'summary_text', text: 'so' }] };
    const input = [reasoning, { ...reasoning, encrypted_content: 'gAAAA' }, { role: 'user', content: 'hi' }];
    expect(inputOfCompatibleResponses(expandedResponsesBody.parse({ input }))).toEqual({
      messages: ['hi'],
      sealedBytes: 5,
    });
  });

  const ofInput = (...input: object[]) => inputOfCompatibleResponses(expandedResponsesBody.parse({ input }));

  it('counts the tools of an item as tools, and a search as the vendor’s', () => {
    const custom = { type: 'custom', name: 'apply_patch', format: { type: 'grammar', definition: 'start: "x"' } };
    const functions = { type: 'namespace', name: 'functions', description: 'd', tools: [custom] };
    const search = { type: 'web_search' };
    const tools = [functions, search];
    expect(ofInput({ type: 'additional_tools', role: 'developer', tools }, { role: 'user', content: 'hi' })).toEqual({
      messages: ['hi'],
      extras: tools.map((tool) => JSON.stringify(tool)),
      providerTools: ['search'],
    });
  });

  it('counts calls of every kind with their names and input, and their outputs', () => {
    const call = { type: 'custom_tool_call', call_id: 'c', name: 'apply_patch', input: '*** Begin' };
    const output = { type: 'custom_tool_call_output', call_id: 'c', output: 'ok' };
    const action = { command: ['ls'], type: 'exec' };
    const shell = { type: 'local_shell_call', id: 'l', call_id: 'd', status: 'completed', action };
    expect(ofInput(call, output, shell).messages).toEqual([
      `apply_patch${JSON.stringify({ input: '*** Begin' })}`,
      'ok',
      `local_shell${JSON.stringify(action)}`,
    ]);
  });

  it('counts the JSON of an unknown item, and images that it may fetch', () => {
    const item = { type: 'computer_call_output', output: { image_url: 'https://example.com/a.png' } };
    expect(ofInput(item)).toEqual({ messages: [JSON.stringify(item)], files: [{ mimeType: 'image/*', bytes: 0 }] });
  });
});
