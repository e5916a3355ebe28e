// What vendors charge in addition to tokens, in answers that are passed through: settled from the vendor's own figures.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Dialect } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { fixture } from '../../testing/fixtures.js';
import { collect, InferenceSystem, type TurnOptions } from '../../testing/inference-system.js';
import { startUpstreamServer, type UpstreamHandler, type UpstreamServer } from '../../testing/upstream-server.js';

let claude: UpstreamServer;
let gpt: UpstreamServer;
let system: InferenceSystem;

const messages: TurnOptions = { modelId: 'claude-sonnet-5-5', dialect: Dialect.ANTHROPIC_MESSAGES };
const responses: TurnOptions = { modelId: 'gpt-6.1-sol', dialect: Dialect.OPENAI_RESPONSES };
const message = { model: 'claude-sonnet-5-5', max_tokens: 900, messages: [{ role: 'user', content: 'hi' }] };
const webSearch = { type: 'web_search_20250305', name: 'web_search', max_uses: 8 };
const webFetch = { type: 'web_fetch_20250910', name: 'web_fetch' };

beforeAll(async () => {
  claude = await startUpstreamServer(answering({}));
  gpt = await startUpstreamServer(answering({}));
  system = await InferenceSystem.start({
    ANTHROPIC_BASE_URL: claude.baseUrl.replace(/\/v1$/, ''),
    OPENAI_BASE_URL: gpt.baseUrl,
    OPENAI_RESPONSES_API: '1',
  });
});

afterAll(async () => {
  await system.stop();
  await claude.stop();
  await gpt.stop();
});

beforeEach(() => {
  for (const server of [claude, gpt]) server.requests.length = 0;
});

function answering(body: object): UpstreamHandler {
  return (res) => {
    res.writeHead(200, { 'content-type': 'application/json' });
    res.end(JSON.stringify(body));
  };
}

function streaming(events: readonly object[]): UpstreamHandler {
  return (res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    res.end(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
  };
}

/** Answers with this usage; a stream reports cache writes at its start and the uses of tools at its end, as the vendor does. */
function claudeAnswers({ server_tool_use: used, ...input }: Record<string, unknown>, stream: boolean): UpstreamHandler {
  const content = [{ type: 'text', text: 'yes' }];
  const whole = { id: 'm1', type: 'message', content, stop_reason: 'end_turn' };
  if (!stream) return answering({ ...whole, usage: { ...input, output_tokens: 5, server_tool_use: used } });
  return streaming([
    { type: 'message_start', message: { id: 'm1', content: [], usage: { ...input, output_tokens: 1 } } },
    { type: 'content_block_start', index: 0, content_block: content[0] },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: 'end_turn' },
      usage: { output_tokens: 5, ...(used ? { server_tool_use: used } : {}) },
    },
    { type: 'message_stop' },
  ]);
}

async function settledUsage(body: object, options: TurnOptions) {
  const call = system.call();
  await collect(system.turn(body, options, call));
  return system.ledger.findSettlement(call.requestId).usage;
}

describe.each([false, true])('fees of Anthropic (stream: %s)', (stream) => {
  const options = { ...messages, stream };

  it('charges searches at their price, and fetches for their tokens only', async () => {
    const server_tool_use = { web_search_requests: 2, web_fetch_requests: 3 };
    claude.handler = claudeAnswers({ input_tokens: 100, server_tool_use }, stream);
    const usage = await settledUsage({ ...message, tools: [webSearch, webFetch] }, options);
    // $10 for a thousand searches: 2 cents.
    expect(usage).toMatchObject({ inputTokens: 100n, feeMicrocents: 2_000_000n, outputTokens: 5n, estimated: false });
    expect(claude.requests[0]?.body.tools).toEqual([
      { ...webSearch, max_uses: 5 },
      { ...webFetch, max_uses: 5, max_content_tokens: 16_384 },
    ]);
  });

  it('charges the owner the price of each cache', async () => {
    const created = { ephemeral_5m_input_tokens: 300, ephemeral_1h_input_tokens: 700 };
    const input = { input_tokens: 100, cache_creation_input_tokens: 1_000, cache_creation: created };
    claude.handler = claudeAnswers(input, stream);
    const body = { ...message, cache_control: { type: 'ephemeral', ttl: '1h' } };
    const usage = await settledUsage(body, options);
    expect(usage).toMatchObject({ inputTokens: 1_100n, cacheWriteInputTokens: 1_000n, feeMicrocents: 0n });
    // 200 cents per million tokens, 250 in the cache of five minutes, 400 in the cache of an hour; 1,000 for output.
    expect(usage?.providerMicrocents).toBe(100n * 200n + 300n * 250n + 700n * 400n + 5n * 1_000n);
    expect(claude.requests[0]?.body.cache_control).toEqual(body.cache_control);
  });
});

describe.each([false, true])('fees of OpenAI (stream: %s)', (stream) => {
  it('charges searches at their price, bounds them, and charges nothing for pages that a search opens', async () => {
    const search = (action: string, id: string) => ({ id, type: 'web_search_call', action: { type: action } });
    const output = [search('search', 'w1'), search('open_page', 'w2'), search('search', 'w3')];
    const response = { id: 'r1', status: 'completed', output, usage: { input_tokens: 100, output_tokens: 5 } };
    gpt.handler = stream
      ? streaming([
          { type: 'response.created', response: { id: 'r1' } },
          ...output.map((item, at) => ({ type: 'response.output_item.done', output_index: at, item })),
          { type: 'response.completed', response },
        ])
      : answering(response);
    const usage = await settledUsage({ input: 'hi', tools: [{ type: 'web_search' }] }, { ...responses, stream });
    expect(usage).toMatchObject({ inputTokens: 100n, feeMicrocents: 2_000_000n, outputTokens: 5n });
    expect(gpt.requests[0]?.body.max_tool_calls).toBe(5);
  });
});

describe('models without a price', () => {
  it.each<[TurnOptions, object]>([
    [responses, { input: 'hi', tools: [{ type: 'web_search' }] }],
    [messages, { ...message, model: 'test-mini', tools: [webSearch] }],
  ])('rejects a search, naming the tools', async (options, body) => {
    await expect(system.answer(body, { ...options, modelId: 'test-mini' })).rejects.toMatchObject({
      code: 'MODEL_CAPABILITY_UNSUPPORTED',
      fields: [{ field: 'tools' }],
    });
    expect(claude.requests.length + gpt.requests.length).toBe(0);
  });

  it('asks another provider of the model when Anthropic is to cache the prompt for an hour', async () => {
    gpt.handler = answering(JSON.parse(fixture('openai', 'chat-text.json')));
    const body = { ...message, cache_control: { type: 'ephemeral', ttl: '1h' } };
    await system.answer(body, { ...messages, modelId: 'claude-or-gpt' });
    expect([claude.requests.length, gpt.requests.length]).toEqual([0, 1]);
  });
});
