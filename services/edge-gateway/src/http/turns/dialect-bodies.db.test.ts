// Bodies of the vendors' dialects: unsupported members are refused with a reason before admission.
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { type AdmitRequest, BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { InferenceService } from '@tollgate/contracts/inference/v1/inference_pb.js';
import request from 'supertest';
import { peer, type RouteTest, startRouteTest } from '../../testing/route-test.js';

const model = 'sandbox/echo-1';
const options = [
  { id: 'a', description: 'one' },
  { id: 'b', description: 'other' },
];

let admits: AdmitRequest[];
let harness: RouteTest;

beforeAll(async () => {
  const billing = peer(BillingService, {
    admit: (req) => {
      admits.push(req);
      return { decision: { case: 'admitted', value: { modelId: model, maxOutputTokens: 100 } } };
    },
  });
  const inference = peer(InferenceService, {
    generate: async function* () {
      yield { data: new TextEncoder().encode('{"ok":1}'), usage: { inputTokens: 1n, outputTokens: 1n } };
    },
  });
  harness = await startRouteTest('dialect_bodies', [], [billing, inference]);
});

afterAll(() => harness.stop());

beforeEach(() => {
  admits = [];
});

function post(path: string) {
  return request(harness.app)
    .post(path)
    .set({ authorization: `Bearer ${harness.tenant.secretKey}` });
}

const message = { role: 'user', content: 'hi' };
const chat = { model, messages: [message] };
const responses = { model, input: 'hi' };
const messages = { model, max_tokens: 5, messages: [message] };
const tool = { type: 'function', name: 'f' };
const chatTool = { type: 'function', function: { name: 'f' } };
const image = { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } };
const http = { type: 'image', source: { type: 'url', url: 'http://example.com/a.png' } };
const stored = { type: 'image', source: { type: 'file', file_id: 'file_1' } };
const remote = { type: 'document', source: { type: 'url', url: 'https://example.com/a.pdf' } };

it.each<[string, object, string, RegExp]>([
  ['/v1/responses', { ...responses, store: true }, 'store', /does not store/],
  ['/v1/responses', { ...responses, previous_response_id: '' }, 'previous_response_id', /./],
  ['/v1/responses', { ...responses, conversation: 'c' }, 'conversation', /does not store/],
  ['/v1/responses', { ...responses, background: true }, 'background', /does not store/],
  ['/v1/responses', { ...responses, background: true, stream: true }, 'background', /does not store/],
  ['/v1/responses', { ...responses, background: true, store: false }, 'store', /read later/],
  ['/v1/responses', { ...responses, prompt: { id: 'p' } }, 'prompt', /not stored/],
  ['/v1/responses', { ...responses, reasoning: { mode: 'pro' } }, 'reasoning.mode', /no price/],
  ['/v1/responses', { ...responses, context_management: [{}] }, 'context_management', /no bound/],
  ['/v1/responses', { ...responses, moderation: { model: 'm' } }, 'moderation', /no price/],
  [
    '/v1/responses',
    { ...responses, input: [toUserMessage({ type: 'input_image', image_url: 'ftp://a/b' })] },
    imageUrl(),
    /https/,
  ],
  [
    '/v1/responses',
    { ...responses, input: [toUserMessage({ type: 'input_file', file_url: 'https://a/b' })] },
    'input[0].content[0].file_data',
    /file_data/,
  ],
  [
    '/v1/responses',
    { ...responses, tools: [{ type: 'mcp' }] },
    'tools[0].type',
    /type mcp are not supported.*no bound/,
  ],
  ['/v1/responses', { ...responses, tools: [{ type: 'file_search' }] }, 'tools[0].type', /file_search.*not stored/],
  ['/v1/responses', { ...responses, tools: [{ type: 'code_interpreter' }] }, 'tools[0].type', /no price/],
  ['/v1/responses', { ...responses, tools: [{ type: 'future_tool' }] }, 'tools[0].type', /future_tool.*price/],
  [
    '/v1/responses',
    { ...responses, tools: [{ type: 'shell', environment: { type: 'container_auto' } }] },
    'tools[0].environment.type',
    /containers have no price/,
  ],
  [
    '/v1/responses',
    { ...responses, tools: [{ type: 'namespace', name: 'n', tools: [{ type: 'mcp' }] }] },
    'tools[0].tools[0].type',
    /type mcp/,
  ],
  [
    '/v1/responses',
    { ...responses, input: [{ type: 'additional_tools', role: 'developer', tools: [{ type: 'image_generation' }] }] },
    'input[0].tools[0].type',
    /image_generation.*no price/,
  ],
  ['/v1/responses', { ...responses, input: [{ type: 'compaction_trigger' }] }, 'input[0].type', /no bound/],
  ['/v1/responses', { ...responses, input: [{ type: 'custom_tool_call', call_id: 'c' }] }, 'input[0].name', /./],
  [
    '/v1/responses',
    { ...responses, input: [{ type: 'future_item', content: [{ file_id: 'file_1' }] }] },
    'input[0].type',
    /cannot be referred to/,
  ],
  ['/v1/responses', { ...responses, input: [{ type: 'item_reference' }] }, 'input[0].id', /./],
  ['/v1/responses', { ...responses, input: [{ role: 'robot', content: 'x' }] }, 'input[0].role', /./],
  ['/v1/responses', { ...responses, input: [] }, 'input', /./],
  [
    '/v1/responses',
    { ...responses, input: [toUserMessage({ type: 'input_image', file_id: 'f' })] },
    imageUrl(),
    /image_url/,
  ],
  ['/v1/responses', { ...responses, tool_choice: 'required' }, 'tool_choice', /needs at least one tool/],
  [
    '/v1/responses',
    { ...responses, tools: [tool], tool_choice: { type: 'function', name: 'g' } },
    'tool_choice',
    /no declared function tool: g/,
  ],
  [
    '/v1/responses',
    { ...responses, text: { format: { type: 'json_schema', name: 'a b', schema: {} } } },
    'text.format.name',
    /./,
  ],
  ['/v1/chat/completions', { ...chat, n: 129 }, 'n', /128/],
  ['/v1/chat/completions', { ...chat, store: true }, 'store', /not stored/],
  ['/v1/chat/completions', { ...chat, deferred: true }, 'deferred', /not supported/],
  ['/v1/chat/completions', { ...chat, functions: [{ name: 'f' }] }, 'functions', /use tools/],
  ['/v1/chat/completions', { ...chat, function_call: 'auto' }, 'function_call', /use tool_choice/],
  ['/v1/chat/completions', { ...chat, moderation: { model: 'm' } }, 'moderation', /no price/],
  [
    '/v1/chat/completions',
    { ...chat, messages: [toUserMessage({ type: 'file', file: { file_id: 'file_1' } })] },
    'messages[0].content[0].file.file_id',
    /cannot be referred to/,
  ],
  [
    '/v1/chat/completions',
    { ...chat, messages: [toUserMessage(chatImage('http://10.0.0.1/a.png'))] },
    'messages[0].content[0].image_url.url',
    /https/,
  ],
  ['/v1/chat/completions', { ...chat, messages: [{ ...message, name: 'x'.repeat(257) }] }, 'messages[0].name', /./],
  [
    '/v1/chat/completions',
    { ...chat, messages: [{ role: 'tool', tool_call_id: 'c', content: [chatImage('https://a/b.png')] }] },
    'messages[0].content[0].type',
    /must be text/,
  ],
  [
    '/v1/chat/completions',
    { ...chat, messages: [{ role: 'assistant', audio: { id: 'audio_1' } }] },
    'messages[0].audio',
    /not stored/,
  ],
  [
    '/v1/chat/completions',
    { ...chat, tools: [{ type: 'custom', custom: { name: 'f' } }] },
    'tools[0].type',
    /only function tools.*custom/,
  ],
  ['/v1/chat/completions', { ...chat, tool_choice: 'required' }, 'tool_choice', /needs at least one tool/],
  [
    '/v1/chat/completions',
    { ...chat, tools: [chatTool], tool_choice: { type: 'function', function: { name: 'g' } } },
    'tool_choice.function.name',
    /no declared function tool: g/,
  ],
  [
    '/v1/chat/completions',
    { ...chat, tools: [chatTool], tool_choice: allowed('f', 'g') },
    'tool_choice.allowed_tools.tools',
    /no declared function tool: g/,
  ],
  ['/v1/decisions', { model, input: 'x', options: options.slice(1) }, 'options', /./],
  ['/v1/decisions', { model, input: 'x', options: [...options, options[0]] }, 'options[2].id', /twice/],
  ['/v1/decisions', { model, options }, 'input', /./],
  ['/v1/decisions', { model, input: 'x', options, stream: true }, 'stream', /not streamed/],
])('rejects %s %j naming %s before admission', async (path, body, param, reason) => {
  const res = await post(path).send(body).expect(400);
  expect(res.body.error.param).toBe(param);
  expect(res.body.error.message).toMatch(reason);
  expect(admits).toHaveLength(0);
});

it.each<[object, RegExp]>([
  [{ ...messages, max_tokens: undefined }, /^max_tokens/],
  [{ ...messages, messages: [] }, /^messages/],
  [{ ...messages, messages: [{ role: 'user', content: [http] }] }, /https: URL/],
  [{ ...messages, messages: [{ role: 'user', content: [stored] }] }, /base64 or by URL.*file/],
  [{ ...messages, messages: [{ role: 'user', content: [remote] }] }, /base64, text or content.*url/],
  [
    { ...messages, messages: [{ role: 'assistant', content: [{ type: 'tool_result', tool_use_id: 'x' }] }] },
    /tool_result/,
  ],
  [{ ...messages, messages: [{ role: 'user', content: [{ type: 'tool_use', id: 'x', name: 'f' }] }] }, /tool_use/],
  [{ ...messages, tools: [{ type: 'code_execution_20250825', name: 'c' }] }, /code_execution_20250825.*containers/],
  [{ ...messages, tools: [{ type: 'advisor_20260301', name: 'advisor' }] }, /advisor_20260301.*other prices/],
  [{ ...messages, tools: [{ type: 'future_20300101', name: 'f' }] }, /future_20300101.*price/],
  [{ ...messages, tools: [{ type: 'custom', name: 'f' }] }, /input_schema/],
  [
    { ...messages, messages: [message, { role: 'system', content: [addition({ type: 'web_search_20250305' })] }] },
    /web_search_20250305/,
  ],
  [{ ...messages, messages: [{ role: 'user', content: [{ type: 'future', file_id: 'f' }] }] }, /cannot be referred to/],
  [{ ...messages, messages: [{ role: 'assistant', content: [{ type: 'compaction', content: 'x' }] }] }, /compaction/],
  [{ ...messages, tool_choice: { type: 'any' } }, /any needs at least one tool/],
  [{ ...messages, tool_choice: { type: 'tool', name: 'g' } }, /no declared tool: g/],
  [{ ...messages, speed: 'fast' }, /no price/],
  [{ ...messages, inference_geo: 'us' }, /no price/],
  [{ ...messages, top_k: 'all' }, /^top_k/],
  [{ ...messages, diagnostics: { previous_message_id: 'msg_1' } }, /not stored/],
  [{ ...messages, container: 'c' }, /not supported/],
  [{ ...messages, context_management: { edits: [{ type: 'compact_20260112' }] } }, /not a supported edit/],
  [{ ...messages, compaction: {} }, /no bound/],
  [{ ...messages, fallbacks: 'default' }, /other models/],
  [{ ...messages, fallback_credit_token: 'c' }, /credits/],
  [{ ...messages, billing_policy: { bill_to: 'user_profile' } }, /bills the request/],
  [{ ...messages, thread: { type: 'create' } }, /not stored/],
  [{ ...messages, stop_sequences: Array(9).fill('x') }, /^stop_sequences/],
  [{ ...messages, thinking: { type: 'enabled' } }, /^thinking/],
])('rejects /v1/messages %j before admission', async (body, reason) => {
  const res = await post('/v1/messages').send(body).expect(400);
  expect(res.body.error).toMatchObject({ type: 'invalid_request_error', message: expect.stringMatching(reason) });
  expect(admits).toHaveLength(0);
});

it.each<[string, object]>([
  ['/v1/chat/completions', { model, messages: [message], n: 1, stop: null, tools: null, tool_choice: null, user: 'u' }],
  ['/v1/chat/completions', { model, messages: [message], metadata: { a: 'b' }, parallel_tool_calls: false }],
  ['/v1/chat/completions', { ...chat, store: false, functions: null, seed: 1, logit_bias: { 5: 1 } }],
  ['/v1/chat/completions', { ...chat, tools: [chatTool], tool_choice: allowed('f') }],
  ['/v1/chat/completions', { ...chat, messages: [{ role: 'assistant', content: null, refusal: 'no' }, message] }],
  ['/v1/responses', { ...responses, store: false, metadata: { a: 'b' }, include: ['reasoning.encrypted_content'] }],
  ['/v1/responses', { ...responses, previous_response_id: null, tools: null, reasoning: { effort: 'low' } }],
  ['/v1/responses', { ...responses, input: [{ type: 'reasoning', id: 'r', summary: [] }, { ...message }] }],
  ['/v1/messages', { ...messages, messages: [{ role: 'user', content: [image] }], top_k: 5, diagnostics: {} }],
  [
    '/v1/responses',
    {
      ...responses,
      input: [toUserMessage({ type: 'input_image', image_url: 'https://a/b.png' })],
      prompt_cache_key: 'k',
    },
  ],
  ['/v1/messages', { ...messages, context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] } }],
  ['/v1/messages', { ...messages, tools: [{ type: 'bash_20250124', name: 'bash' }] }],
  ['/v1/messages', { ...messages, tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 8 }] }],
  ['/v1/messages', { ...messages, tools: [{ type: 'browser_toolset_20260801' }] }],
  ['/v1/messages', { ...messages, messages: [{ role: 'user', content: [{ type: 'future', text: 'x' }] }] }],
  [
    '/v1/messages',
    { ...messages, messages: [message, { role: 'system', content: [addition({ name: 'f', input_schema: {} })] }] },
  ],
  ['/v1/responses', { ...responses, tools: [tool, { type: 'custom', name: 'g' }, { type: 'web_search' }] }],
  [
    '/v1/responses',
    { ...responses, tools: [{ type: 'namespace', name: 'n', tools: [tool] }, { type: 'local_shell' }] },
  ],
  ['/v1/responses', { ...responses, input: [{ type: 'additional_tools', role: 'developer', tools: [tool] }, message] }],
  ['/v1/responses', { ...responses, input: [{ type: 'future_item', anything: 1 }, message] }],
  ['/v1/messages', { ...messages, metadata: { user_id: 'u' }, thinking: { type: 'adaptive' }, service_tier: 'auto' }],
  ['/v1/messages', { ...messages, system: [{ type: 'text', text: 'x', cache_control: { type: 'ephemeral' } }] }],
  [
    '/v1/messages',
    { ...messages, tools: [{ name: 'f', input_schema: { type: 'object' } }], tool_choice: { type: 'any' } },
  ],
])('accepts %s %j', async (path, body) => {
  await post(path).send(body).expect(200);
});

it.each<[string, object, object]>([
  [
    '/v1/messages',
    { ...messages, model: 'claude-sonnet-5-5' },
    { tools: [{ type: 'web_search_20250305', name: 'w' }] },
  ],
  ['/v1/messages', { ...messages, model: 'claude-sonnet-5-5' }, { tools: [{ type: 'web_fetch_20250910', name: 'w' }] }],
  ['/v1/responses', { ...responses, model: 'gpt-6.1-sol' }, { tools: [{ type: 'web_search' }] }],
])('holds more at %s %j with %j', async (path, body, more) => {
  await post(path).send(body).expect(200);
  await post(path)
    .send({ ...body, ...more })
    .expect(200);
  const [plain, priced] = admits.map(({ inputTokensEstimate }) => Number(inputTokensEstimate));
  expect(priced).toBeGreaterThanOrEqual(plain! + 5 * 16_384);
});

it.each<[string, object, object]>([
  ['/v1/messages', { ...messages, cache_control: { type: 'ephemeral', ttl: '1h' } }, { cachesForHour: true }],
  ['/v1/messages', { ...messages, cache_control: { type: 'ephemeral' } }, { cachesForHour: false, searches: 0 }],
  ['/v1/messages', { ...messages, tools: [{ type: 'web_search_20250305', name: 'w' }] }, { searches: 5, codeRuns: 0 }],
  ['/v1/responses', { ...responses, tools: [{ type: 'web_search' }] }, { searches: 5 }],
  ['/v1/responses', { ...responses, service_tier: 'flex' }, { serviceTier: 'flex' }],
  ['/v1/responses', { ...responses, service_tier: 'priority' }, { serviceTier: 'priority' }],
  ['/v1/chat/completions', { ...chat, service_tier: 'priority' }, { serviceTier: 'priority' }],
])('asks at %s %j for a hold of %j', async (path, body, extras) => {
  await post(path).send(body).expect(200);
  expect(admits[0]?.extras).toMatchObject(extras);
});

it('refuses a conversation beyond the context window in the wording that agents match', async () => {
  const body = { ...chat, messages: [{ role: 'user', content: 'x'.repeat(600_000) }] };
  const res = await post('/v1/chat/completions').send(body).expect(400);
  expect(res.body.error).toMatchObject({ type: 'invalid_request_error', code: 'context_length_exceeded' });
  expect(res.body.error.message).toMatch(/^prompt is too long: this model's maximum context length is 128000 tokens/);
  expect(admits).toHaveLength(0);
});

function addition(definition: object): object {
  return { type: 'tool_addition', tool: { type: 'tool_definition', definition } };
}

function toUserMessage(part: object): object {
  return { role: 'user', content: [part] };
}

function imageUrl(): string {
  return 'input[0].content[0].image_url';
}

function chatImage(url: string): object {
  return { type: 'image_url', image_url: { url } };
}

function allowed(...names: string[]): object {
  const tools = names.map((name) => ({ type: 'function', function: { name } }));
  return { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools } };
}
