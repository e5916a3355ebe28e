import { create } from '@bufbuild/protobuf';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { Dialect } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { fixture } from '../../testing/fixtures.js';
import { ask, InferenceSystem } from '../../testing/inference-system.js';
import { startUpstreamServer, type UpstreamServer } from '../../testing/upstream-server.js';

let upstream: UpstreamServer;
let system: InferenceSystem;

/** One pixel: the vendor looks at an image's bytes. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const options = { modelId: 'test-mini' };
const chat = { modelId: 'test-mini', dialect: Dialect.OPENAI_CHAT };

beforeAll(async () => {
  upstream = await startUpstreamServer(answerWith(200, fixture('openai', 'chat-text.json')));
  system = await InferenceSystem.start({ OPENAI_BASE_URL: upstream.baseUrl, OPENAI_API_KEY: 'sk-test' });
});

afterAll(async () => {
  await system.stop();
  await upstream.stop();
});

beforeEach(() => {
  upstream.handler = answerWith(200, fixture('openai', 'chat-text.json'));
  upstream.requests.length = 0;
});

function answerWith(status: number, body: string, headers: Record<string, string> = {}): UpstreamServer['handler'] {
  return (res) => {
    res.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'req_up_1', ...headers });
    res.end(body);
  };
}

function streamWith(body: string): UpstreamServer['handler'] {
  return (res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream', 'x-request-id': 'req_up_1' });
    res.end(body);
  };
}

describe('the request to the provider', () => {
  it('sends the id under which it is settled', async () => {
    const requestId = 'a0000000-0000-4000-8000-000000000002';
    await system.answer(ask('hi'), { ...options, requestId });
    expect(upstream.requests[0]?.headers['x-client-request-id']).toBe(requestId);
  });

  it('sends the key, the model, the bound of the hold and the conversation', async () => {
    const image = { type: 'file', file: { data_base64: PNG, mime_type: 'image/png' } };
    const call = { id: 'c1', type: 'function', function: { name: 'kv.get', arguments: '{"k":1}' } };
    await system.answer(
      {
        input: [
          { type: 'message', role: 'system', content: [{ type: 'text', text: 'Be short.' }] },
          { type: 'message', role: 'user', content: [{ type: 'text', text: 'See:' }, image] },
          { type: 'message', role: 'assistant', content: [{ type: 'text', text: 'Looking.' }], tool_calls: [call] },
          { type: 'message', role: 'tool', tool_call_id: 'c1', content: [{ type: 'text', text: '42' }] },
        ],
        temperature: 0,
        stop: ['END'],
        tools: [{ type: 'function', function: { name: 'kv.get', parameters: { type: 'object' } } }],
        tool_choice: { type: 'required', function: 'kv.get' },
      },
      { ...options, maxOutputTokens: 77 },
    );
    const [{ path, headers, body }] = upstream.requests as [UpstreamServer['requests'][0]];
    expect(path).toBe('/v1/chat/completions');
    expect(headers.authorization).toBe('Bearer sk-test');
    expect(body).toEqual({
      model: 'gpt-4o-mini',
      messages: [
        { role: 'system', content: 'Be short.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'See:' },
            { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } },
          ],
        },
        {
          role: 'assistant',
          content: 'Looking.',
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'kv_get', arguments: '{"k":1}' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: '42' },
      ],
      max_tokens: 77,
      temperature: 0,
      stop: ['END'],
      tools: [{ type: 'function', function: { name: 'kv_get', parameters: { type: 'object', properties: {} } } }],
      tool_choice: { type: 'function', function: { name: 'kv_get' } },
    });
  });

  it.each(['', '[1', '{"a":', 'null'])('sends {} for the arguments %j of an earlier call', async (text) => {
    const call = { id: 'c1', type: 'function', function: { name: 'f', arguments: text } };
    const assistant = { type: 'message', role: 'assistant', content: [], tool_calls: [call] };
    const result = { type: 'message', role: 'tool', tool_call_id: 'c1', content: [{ type: 'text', text: '42' }] };
    await system.answer({ input: [assistant, result] }, options);
    expect(upstream.requests[0]?.body.messages).toMatchObject([
      { tool_calls: [{ function: { arguments: '{}' } }] },
      { role: 'tool' },
    ]);
  });

  it('closes the schema of structured output', async () => {
    const schema = { type: 'object', properties: { a: { type: 'object', properties: { b: { type: 'string' } } } } };
    const format = { type: 'json_schema', json_schema: { name: 'doc', schema } };
    await system.answer(ask('go', { output_format: format }), options);
    expect(upstream.requests[0]?.body.response_format).toEqual({
      type: 'json_schema',
      json_schema: {
        name: 'doc',
        strict: true,
        schema: {
          type: 'object',
          additionalProperties: false,
          required: ['a'],
          properties: {
            a: {
              type: 'object',
              additionalProperties: false,
              required: ['b'],
              properties: { b: { type: 'string' } },
            },
          },
        },
      },
    });
  });

  it('keeps the fields of a chat client and replaces its bound', async () => {
    const body = { model: 'test-mini', messages: [{ role: 'user', content: 'hi' }], max_tokens: 5, seed: 7, user: 'u' };
    await system.answer({ ...body, max_completion_tokens: 9 }, { ...chat, maxOutputTokens: 4 });
    expect(upstream.requests[0]?.body).toEqual({
      model: 'gpt-4o-mini',
      messages: [{ role: 'user', content: 'hi' }],
      seed: 7,
      user: 'u',
      max_completion_tokens: 4,
    });
  });
});

describe('options of a forwarded request that cost extra', () => {
  it.each([
    ['web_search_options', {}],
    ['audio', { voice: 'alloy', format: 'mp3' }],
    ['modalities', ['text', 'audio']],
    ['service_tier', 'priority'],
    ['service_tier', 'fast'],
    ['service_tier', 'ultrafast'],
    ['service_tier', 'a later one'],
  ])('rejects %s: %j, which has no price', async (field, value) => {
    const body = { model: 'test-mini', messages: [{ role: 'user', content: 'hi' }], [field]: value };
    await expect(system.answer(body, chat)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      fields: [{ field, message: expect.stringContaining('no price') }],
    });
    expect(upstream.requests).toHaveLength(0);
  });

  it.each([
    ['what the provider reports', { service_tier: 'priority' }, 10n * 3_000n + 4n * 12_000n],
    ['the usual tier that the provider reports', { service_tier: 'default' }, 10n * 1_500n + 4n * 6_000n],
    ['the asked tier when the provider reports none', {}, 10n * 3_000n + 4n * 12_000n],
  ])('passes on a service tier that has a price, and charges %s', async (_what, reported, providerMicrocents) => {
    upstream.handler = answerWith(
      200,
      JSON.stringify({
        id: 'c1',
        choices: [{ index: 0, message: { role: 'assistant', content: 'yes' }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 10, completion_tokens: 4 },
        ...reported,
      }),
    );
    const body = { model: 'test-tiers', messages: [{ role: 'user', content: 'hi' }], service_tier: 'priority' };
    const call = system.call();
    for await (const _ of system.turn(body, { ...chat, modelId: 'test-tiers' }, call));
    expect(upstream.requests[0]?.body).toMatchObject({ service_tier: 'priority' });
    expect(system.ledger.findSettlement(call.requestId).usage).toMatchObject({ providerMicrocents });
  });

  it('refuses a service tier with a price where a conversion would lose it, or leaves it out at the usual price', async () => {
    upstream.handler = answerWith(200, fixture('openai', 'chat-text.json'));
    const tools = [{ type: 'function', function: { name: 'a.b' } }];
    const body = { model: 'test-tiers', messages: [{ role: 'user', content: 'hi' }], service_tier: 'priority', tools };
    const tiers = { ...chat, modelId: 'test-tiers' };
    const fields = [{ field: 'service_tier', message: expect.any(String) }];
    await expect(system.answer(body, tiers)).rejects.toMatchObject({ fields });
    const principal = create(PrincipalSchema, {
      ...system.call().requirePrincipal(),
      dropsUnsupportedParameters: true,
    });
    const call = system.call({ principal });
    for await (const _ of system.turn(body, tiers, call));
    expect(upstream.requests.map((request) => request.body.service_tier)).toEqual([undefined]);
    const { providerMicrocents } = system.ledger.findSettlement(call.requestId).usage!;
    expect(providerMicrocents).toBe(25n * 1_500n + 32n * 1_500n + 23n * 6_000n);
  });
});

describe('a plain answer', () => {
  it('becomes the native resource with all counters, and settles the usage of the provider', async () => {
    const call = system.call();
    const frames = [];
    for await (const frame of system.turn(ask('hi'), options, call)) frames.push(frame);
    expect(JSON.parse(Buffer.from(frames[0]!.data).toString())).toEqual({
      id: 'chatcmpl-C9ZVx2vYcYkT1',
      output: [
        { type: 'message', role: 'assistant', content: [{ type: 'text', text: expect.stringContaining('世界 👋') }] },
      ],
      model: 'test-mini',
      provider: 'openai',
      stop_reason: 'stop',
      usage: {
        input_tokens: 57,
        output_tokens: 23,
        total_tokens: 80,
        cache_read_input_tokens: 32,
        reasoning_tokens: 5,
      },
    });
    expect(system.ledger.findSettlement(call.requestId)).toMatchObject({
      usage: { inputTokens: 57n, outputTokens: 23n, cacheReadInputTokens: 32n, reasoningTokens: 5n, estimated: false },
      facts: { responseId: 'chatcmpl-C9ZVx2vYcYkT1', modelId: 'test-mini', provider: 'openai', success: true },
    });
  });

  it('returns tool calls in the declared spelling', async () => {
    upstream.handler = answerWith(200, fixture('openai', 'chat-tools.json'));
    const tools = ['weather.get', 'clock'].map((name) => ({ type: 'function', function: { name } }));
    const answer = await system.answer(ask('hi', { tools }), options);
    expect(answer.stop_reason).toBe('tool_use');
    expect(answer.output[0].tool_calls).toEqual([
      { id: 'call_a1', type: 'function', function: { name: 'weather.get', arguments: '{"city":"Zürich"}' } },
      { id: 'call_b2', type: 'function', function: { name: 'clock', arguments: '{}' } },
    ]);
  });

  it('returns a refusal as text with its own stop reason', async () => {
    upstream.handler = answerWith(200, fixture('openai', 'chat-refusal.json'));
    const answer = await system.answer(ask('hi'), options);
    expect(answer.stop_reason).toBe('refusal');
    expect(answer.output[0].content[0].text).toMatch(/cannot assist/);
  });

  it('counts reasoning that a vendor reports separately as output', async () => {
    upstream.handler = answerWith(200, fixture('openai', 'chat-xai-reasoning.json'));
    const { usage } = await system.answer(ask('hi'), options);
    expect(usage).toEqual({
      input_tokens: 32,
      output_tokens: 103,
      total_tokens: 135,
      cache_read_input_tokens: 6,
      reasoning_tokens: 94,
    });
  });

  it('charges a marked estimate when the provider reports no usage', async () => {
    upstream.handler = answerWith(200, fixture('openai', 'chat-bare.json'));
    const call = system.call();
    for await (const frame of system.turn(ask('what time is it'), options, call)) {
      const answer = JSON.parse(Buffer.from(frame.data).toString());
      expect(answer.output[0].tool_calls[0]).toMatchObject({
        id: expect.stringMatching(/^call_/),
        function: { arguments: '{"zone":"UTC"}' },
      });
    }
    const { usage } = system.ledger.findSettlement(call.requestId);
    expect(usage?.estimated).toBe(true);
    expect(usage?.inputTokens).toBeGreaterThan(0n);
    expect(usage?.outputTokens).toBeGreaterThan(0n);
  });

  it('forwards the answer to a chat client byte by byte except for the model name', async () => {
    const text = fixture('openai', 'chat-text.json');
    const frames = [];
    const body = { model: 'openai/test-mini', messages: [{ role: 'user', content: 'hi' }] };
    for await (const frame of system.turn(body, chat)) frames.push(Buffer.from(frame.data).toString());
    expect(frames).toEqual([text.replace('"gpt-4o-mini-2024-07-18"', '"openai/test-mini"')]);
  });
});

describe("the provider's errors", () => {
  it.each([
    [429, 'error-rate-limit.json', { code: 'PROVIDER_ERROR', upstreamStatus: 429, retryable: true, status: 429 }],
    [429, 'error-quota.json', { code: 'UPSTREAM_PAYMENT_REQUIRED', status: 402, retryable: false, detail: undefined }],
    [403, 'error-xai-credits.json', { code: 'UPSTREAM_PAYMENT_REQUIRED', detail: undefined }],
    [
      400,
      'error-context-length.json',
      {
        code: 'PROVIDER_ERROR',
        upstreamStatus: 400,
        retryable: false,
        vendorError: {
          shape: 'openai',
          type: 'invalid_request_error',
          code: 'context_length_exceeded',
          param: 'messages',
        },
      },
    ],
    [
      422,
      'error-fastapi.json',
      {
        upstreamStatus: 422,
        detail: 'body.messages: Field required; body.n.0: Input should be less than or equal to 1',
      },
    ],
    [401, 'error-key.json', { code: 'PROVIDER_ERROR', upstreamStatus: 401, retryable: false, detail: undefined }],
    [
      404,
      'error-vllm.json',
      { code: 'PROVIDER_ERROR', upstreamStatus: 404, detail: 'The model `nope` does not exist.' },
    ],
  ])('converts %i %s', async (status, name, expected) => {
    upstream.handler = answerWith(status, fixture('openai', name));
    await expect(system.answer(ask('hi'), options)).rejects.toMatchObject({
      ...expected,
      providerRequestId: 'req_up_1',
    });
    await expect(system.events(ask('hi'), options)).rejects.toMatchObject(expected);
  });

  it('shows neither a key nor an organization', async () => {
    upstream.handler = answerWith(429, fixture('openai', 'error-rate-limit.json'));
    const error = await system.answer(ask('hi'), options).catch((thrown: unknown) => thrown);
    expect((error as { detail: string }).detail).toContain('Rate limit reached');
    expect(JSON.stringify(error)).not.toMatch(/org-AbC|sk-/);
  });

  it('reports a refused or broken connection as a transport error', async () => {
    upstream.handler = (res) => res.destroy();
    await expect(system.answer(ask('hi'), options)).rejects.toMatchObject({
      code: 'PROVIDER_ERROR',
      causeKind: 'transport',
      status: 500,
    });
  });

  it('rejects an answer that is not a chat completion', async () => {
    upstream.handler = answerWith(200, '{"hello":1}');
    await expect(system.answer(ask('hi'), options)).rejects.toMatchObject({ causeKind: 'invalid_response' });
    upstream.handler = answerWith(200, '{"error":{"message":"late error"}}');
    await expect(system.events(ask('hi'), options)).rejects.toMatchObject({ detail: 'late error', status: 500 });
  });
});

describe('a streamed answer', () => {
  it('becomes native events', async () => {
    upstream.handler = streamWith(fixture('openai', 'text.chunks.txt'));
    const events = (await system.events(ask('hi'), options)).map((data) => JSON.parse(data));
    expect(upstream.requests[0]?.body).toMatchObject({ stream: true, stream_options: { include_usage: true } });
    expect(events.map(({ type }) => type)).toEqual(['start', 'update', 'update', 'update', 'completion']);
    expect(events[0]).toMatchObject({
      stream_mode: 'text-delta',
      stream_version: 'v2',
      provider: 'openai',
      model: 'test-mini',
      request_id: expect.any(String),
    });
    expect(events[2]).toEqual({ type: 'update', delta: ', 世界 ', content: 'Grüße, 世界 ' });
    expect(events.at(-1)).toMatchObject({
      content: events
        .slice(1, -1)
        .map(({ delta }) => delta)
        .join(''),
      stop_reason: 'stop',
      usage: { input_tokens: 12, output_tokens: 7, total_tokens: 19, cache_read_input_tokens: 4 },
    });
  });

  it('emits tool calls by start, delta and stop', async () => {
    upstream.handler = streamWith(fixture('openai', 'tools.chunks.txt'));
    const tools = ['weather.get', 'clock'].map((name) => ({ type: 'function', function: { name } }));
    const events = (await system.events(ask('hi', { tools }), options)).map((data) => JSON.parse(data));
    const [start] = events.filter(({ type }) => type === 'tool_use_start');
    expect(start.tool_call_delta).toEqual({
      index: 0,
      id: 'call_a1',
      type: 'function',
      function: { name: 'weather.get', arguments: '' },
    });
    const deltas = events.filter(({ type }) => type === 'tool_use_delta').map((event) => event.tool_call_delta);
    expect(deltas.map((delta) => [delta.index, delta.id, delta.function.arguments])).toEqual([
      [0, 'call_a1', '{"city":'],
      [0, 'call_a1', '"Zürich"}'],
      [1, 'call_b2', '{}'],
    ]);
    const stops = events.filter(({ type }) => type === 'tool_use_stop').map((event) => event.tool_calls[0].function);
    expect(stops).toEqual([
      { name: 'weather.get', arguments: '{"city":"Zürich"}' },
      { name: 'clock', arguments: '{}' },
    ]);
    expect(events.at(-1)).toMatchObject({ type: 'completion', stop_reason: 'tool_use' });
  });

  it('ends in an error event when it breaks off, and charges the delivered output', async () => {
    upstream.handler = streamWith(fixture('openai', 'abrupt-end.chunks.txt'));
    const requestId = 'a0000000-0000-4000-8000-000000000001';
    const events = (await system.events(ask('hi'), { ...options, requestId })).map((data) => JSON.parse(data));
    expect(events.at(-1)).toMatchObject({
      type: 'error',
      code: 'PROVIDER_ERROR',
      retryable: true,
      request_id: requestId,
    });
    expect(system.ledger.findSettlement(requestId)).toMatchObject({
      usage: { outputTokens: BigInt(Math.ceil('Four score and seven'.length / 4)), estimated: true },
      facts: { success: false, streaming: true },
    });
  });

  it('ends a forwarded chat stream with requested usage and [DONE], or with the error object', async () => {
    const body = { model: 'test-mini', messages: [{ role: 'user', content: 'hi' }], stream: true };
    upstream.handler = streamWith(fixture('openai', 'text.chunks.txt'));
    const asked = await system.events({ ...body, stream_options: { include_usage: true } }, chat);
    expect(asked.at(-1)).toBe('[DONE]');
    expect(JSON.parse(asked.at(-2)!)).toMatchObject({ choices: [], usage: { total_tokens: 19 }, model: 'test-mini' });
    const unasked = await system.events(body, chat);
    expect(JSON.parse(unasked.at(-2)!)).toMatchObject({ choices: [{ finish_reason: 'stop' }] });
    upstream.handler = streamWith(fixture('openai', 'no-done.chunks.txt'));
    const uncounted = await system.events({ ...body, stream_options: { include_usage: true } }, chat);
    expect(JSON.parse(uncounted.at(-2)!)).toMatchObject({ choices: [], usage: { completion_tokens: 2 } });
    upstream.handler = streamWith(fixture('openai', 'error-mid-stream.chunks.txt'));
    const failed = await system.events(body, chat);
    const message = expect.stringMatching(/^openai answered with an error: The server had an error/);
    expect(JSON.parse(failed.at(-1)!)).toEqual({
      error: { message, type: 'server_error', param: null, code: 'PROVIDER_ERROR' },
    });
  });
});
