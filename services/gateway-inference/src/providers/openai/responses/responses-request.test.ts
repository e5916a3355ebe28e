import { describe, expect, it } from '@jest/globals';
import type { ModelRequest } from '../../../domain/model-request.js';
import type { ModelCall } from '../../contract/provider.js';
import { responsesRequest } from './responses-request.js';

type Message = ModelRequest['messages'][0];

function message(role: Message['role'], text: string, more: Partial<Message> = {}): Message {
  return { role, content: text === '' ? [] : [{ type: 'text', text }], toolCalls: [], toolCallId: undefined, ...more };
}

function buildBody(request: Partial<ModelRequest>, provider: 'openai' | 'xai' = 'openai', isStream = false) {
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
  const call = { upstreamModel: 'm-1', isStream, maxOutputTokens: 77, request: () => all } as ModelCall;
  return responsesRequest(call, provider);
}

describe('a request for a response', () => {
  it('sends the conversation as items and stores nothing at the vendor', () => {
    const toolCalls = [{ id: 'c1', type: 'function' as const, function: { name: 'kv.get', arguments: '{"k":1}' } }];
    const file = (mime: string) => ({ type: 'file' as const, file: { data_base64: 'AAAA', mime_type: mime } });
    const body = buildBody(
      {
        messages: [
          message('system', 'Be short.'),
          message('user', '', { content: [{ type: 'text', text: 'See' }, file('image/png'), file('application/pdf')] }),
          message('assistant', 'Looking.', { toolCalls }),
          message('tool', '42', { toolCallId: 'c1' }),
        ],
        temperature: 0,
        reasoningEffort: 'low',
        tools: [{ name: 'kv.get', description: 'd', parameters: undefined }],
        toolChoice: { type: 'required', function: 'kv.get' },
        parallelToolCalls: false,
      },
      'openai',
      true,
    );
    expect(body).toEqual({
      model: 'm-1',
      store: false,
      stream: true,
      max_output_tokens: 77,
      temperature: 0,
      reasoning: { effort: 'low' },
      include: ['reasoning.encrypted_content'],
      parallel_tool_calls: false,
      tool_choice: { type: 'function', name: 'kv_get' },
      tools: [
        {
          type: 'function',
          name: 'kv_get',
          description: 'd',
          parameters: { type: 'object', properties: {} },
          strict: false,
        },
      ],
      input: [
        { role: 'system', content: 'Be short.' },
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'See' },
            { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'auto' },
            { type: 'input_file', filename: 'file', file_data: 'data:application/pdf;base64,AAAA' },
          ],
        },
        { role: 'assistant', content: 'Looking.' },
        { type: 'function_call', call_id: 'c1', name: 'kv_get', arguments: '{"k":1}' },
        { type: 'function_call_output', call_id: 'c1', output: '42' },
      ],
    });
  });

  it('passes links to images on', () => {
    const linked = { type: 'linked_image', url: 'https://example.com/a.png', field: 'input' } as const;
    const messages: ModelRequest['messages'] = [
      { role: 'user', content: [linked], toolCalls: [], toolCallId: undefined },
    ];
    const sent = { type: 'input_image', image_url: 'https://example.com/a.png', detail: 'auto' };
    expect(buildBody({ messages }).input).toEqual([{ role: 'user', content: [sent] }]);
  });

  it('sends the tools of each vendor under its names', () => {
    const providerTools: ModelRequest['providerTools'] = [
      { type: 'web', options: { allowed_domains: ['a.org'], blocked_domains: ['b.org'], other: 1 } },
      { type: 'code_execution', options: {} },
    ];
    expect(buildBody({ providerTools }).tools).toEqual([
      { type: 'web_search', filters: { allowed_domains: ['a.org'], blocked_domains: ['b.org'] } },
      { type: 'code_interpreter', container: { type: 'auto' } },
    ]);
    const search = {
      type: 'x_search' as const,
      options: { allowed_x_handles: ['xai'], from_date: '2026-01-01', n: 1 },
    };
    expect(buildBody({ providerTools: [...providerTools, search] }, 'xai').tools).toEqual([
      { type: 'web_search', allowed_domains: ['a.org'], excluded_domains: ['b.org'] },
      { type: 'code_interpreter' },
      { type: 'x_search', allowed_x_handles: ['xai'], from_date: '2026-01-01' },
    ]);
  });

  it('bounds the searches of OpenAI by what the hold covers', () => {
    const providerTools: ModelRequest['providerTools'] = [{ type: 'web', options: {} }];
    expect(buildBody({ providerTools }).max_tool_calls).toBe(5);
    expect(buildBody({ providerTools }, 'xai')).not.toHaveProperty('max_tool_calls');
    expect(buildBody({})).not.toHaveProperty('max_tool_calls');
  });

  it('requests structured output', () => {
    const json_schema = { name: 'd', schema: { type: 'object' } };
    expect(buildBody({ outputFormat: { type: 'json_schema', json_schema } }).text).toEqual({
      format: { type: 'json_schema', ...json_schema, strict: true },
    });
    expect(buildBody({ outputFormat: { type: 'json_object' } }).text).toEqual({ format: { type: 'json_object' } });
  });

  it('continues from an answer of the vendor in its original form', () => {
    const content = [{ type: 'reasoning', encrypted_content: 'x' }];
    const continuation = { provider: 'openai' as const, upstreamModel: 'm-1', content };
    const messages = [message('assistant', 'x', { continuation })];
    expect(buildBody({ messages }).input).toEqual(content);
    expect(buildBody({ messages }, 'xai').input).toEqual([{ role: 'assistant', content: 'x' }]);
  });

  it('leaves stop sequences to the service, which watches for them, and rejects audio input', () => {
    const unsupported = expect.objectContaining({ code: 'MODEL_CAPABILITY_UNSUPPORTED' });
    expect(buildBody({ stop: ['END'] })).not.toHaveProperty('stop');
    const audio = { type: 'file' as const, file: { data_base64: 'AAAA', mime_type: 'audio/wav' } };
    expect(() => buildBody({ messages: [message('user', '', { content: [audio] })] })).toThrow(unsupported);
  });
});
