import { createServer, request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type AdmitRequest,
  type AdmitResponseSchema,
  BillingService,
  type ReleaseRequest,
} from '@tollgate/contracts/billing/v1/billing_pb.js';
import { HoldService } from '@tollgate/contracts/billing/v1/holds_pb.js';
import {
  type GenerateRequest,
  type GenerateResponseSchema,
  InferenceService,
} from '@tollgate/contracts/inference/v1/inference_pb.js';
import { AppError } from '@tollgate/errors';
import { type Call, notDelivered } from '@tollgate/rpc';
import { waitUntil } from '@tollgate/testkit';
import request from 'supertest';
import { peer, type RouteTest, startRouteTest } from '../../testing/route-test.js';

type Frame = MessageInitShape<typeof GenerateResponseSchema>;
type Decision = MessageInitShape<typeof AdmitResponseSchema>;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const usage = { inputTokens: 5n, outputTokens: 2n };
const body = {
  model: 'sandbox/echo-1',
  input: [{ type: 'message', role: 'user', content: [{ type: 'text', text: '12345678' }] }],
};
const chatBody = { model: 'sandbox/echo-1', messages: [{ role: 'user', content: '12345678' }] };
const admitted: Decision = {
  decision: {
    case: 'admitted',
    value: { modelId: 'sandbox/echo-1', maxOutputTokens: 100, holdTtlMs: 30_000 },
  },
};

let admits: AdmitRequest[] = [];
let releases: ReleaseRequest[] = [];
let superseded: string[] = [];
/** The number of calls to end a hold that fail before one succeeds. */
let ledgerFailures = 0;
let turns: { req: GenerateRequest; call: Call }[] = [];
let decision: Decision | AppError;
let generate: (req: GenerateRequest, call: Call) => AsyncIterable<Frame>;
let harness: RouteTest;
let server: Server;
let baseUrl: string;

function unreachable(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', 'a required service is not reachable');
}

function text(value: string): Uint8Array {
  return new TextEncoder().encode(value);
}

const plainly = () => frames({ data: text('{"id":"r1"}'), model: 'm', provider: 'sandbox', usage });

async function* failing(error: Error): AsyncGenerator<Frame> {
  yield* [];
  throw error;
}

async function* frames(...all: Frame[]): AsyncGenerator<Frame> {
  for (const frame of all) yield frame;
}

beforeAll(async () => {
  const billing = peer(BillingService, {
    admit: (req) => {
      admits.push(req);
      if (decision instanceof AppError) throw decision;
      return decision;
    },
    release: (req) => {
      if (ledgerFailures-- > 0) throw unreachable();
      releases.push(req);
      return {};
    },
    getTier: () => ({ tier: { models: [{ modelId: 'sandbox/echo-1', isDefault: true }] } }),
  });
  const inference = peer(InferenceService, {
    generate: (req, call) => {
      turns.push({ req, call });
      return generate(req, call);
    },
  });
  const holds = peer(HoldService, {
    supersedeHolds: ({ holdIds }) => {
      if (ledgerFailures-- > 0) throw unreachable();
      superseded.push(...holdIds);
      return {};
    },
  });
  harness = await startRouteTest('hot', [], [billing, holds, inference], {
    env: { RATE_LIMIT_CUSTOMER_PER_MINUTE: '1000' },
  });
  server = createServer(harness.app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  await new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  });
  await harness.stop();
});

beforeEach(() => {
  admits = [];
  releases = [];
  turns = [];
  decision = admitted;
  superseded = [];
  ledgerFailures = 0;
  generate = plainly;
});

function post(path = '/api/v1/responses', credential = harness.tenant.secretKey) {
  return request(server).post(path).set('Authorization', `Bearer ${credential}`);
}

describe('POST /responses', () => {
  describe('200', () => {
    it('admits by the size of the request, dispatches its exact bytes and answers one JSON body', async () => {
      const res = await post()
        .set('X-Service-Request-Id', 'mine-1')
        .send({ ...body, max_output_tokens: 50 });
      expect(res.status).toBe(200);
      expect(res.text).toBe('{"id":"r1"}');
      expect(res.headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'content-length': '11',
        'cache-control': 'no-store',
        'x-service-request-id': 'mine-1',
        'ratelimit-limit': expect.any(String),
      });
      expect(admits).toMatchObject([
        { holdId: expect.stringMatching(uuid), model: 'sandbox/echo-1', inputTokensEstimate: 6n, maxOutputTokens: 50 },
      ]);
      const [{ req, call }] = turns as [(typeof turns)[0]];
      expect(req).toMatchObject({
        modelId: 'sandbox/echo-1',
        maxOutputTokens: 100,
        stream: false,
        inputTokensEstimate: 6n,
      });
      expect(req.holdId).toBe(admits[0]?.holdId);
      expect(call.requestId).toBe('mine-1');
      expect(JSON.parse(Buffer.from(req.body).toString())).toEqual({ ...body, max_output_tokens: 50 });
    });

    it('generates a new hold id for each request, even when the client repeats a request id', async () => {
      const chosen = 'a0000000-0000-4000-8000-000000000001';
      for (let i = 0; i < 2; i++) await post().set('X-Service-Request-Id', chosen).send(body).expect(200);
      expect(admits.map(({ holdId }) => holdId)).not.toContain(chosen);
      expect(new Set(admits.map(({ holdId }) => holdId)).size).toBe(2);
    });

    it("estimates with the tier's default model when none is named", async () => {
      const { model: _, ...rest } = body;
      await post(undefined, harness.tenant.customerToken).send(rest).expect(200);
      expect(admits).toMatchObject([{ model: '', inputTokensEstimate: 6n }]);
    });

    it('ignores a trailing slash, like all other routes', async () => {
      expect((await post('/api/v1/responses/').send(body)).text).toBe('{"id":"r1"}');
      expect((await post('/v1/chat/completions/?a=b').send(chatBody)).status).toBe(200);
    });
  });

  describe('400', () => {
    it.each([
      ['broken JSON', '{', /not valid JSON/],
      ['JSON that is not an object', '[]', /JSON object/],
      ['no input', '{}', /^input/],
      ['a field of the wrong type', JSON.stringify({ ...body, temperature: 3 }), /^temperature/],
      ['an unknown member of a file', fileBody({ data_base64: 'AAAA', mime_type: 'image/png', url: 'x' }), /url/],
      ['a file that is not base64', fileBody({ data_base64: 'A?==', mime_type: 'image/png' }), /data_base64/],
      ['nine stop sequences', JSON.stringify({ ...body, stop: Array(9).fill('x') }), /^stop/],
      [
        'a choice of an unknown tool',
        JSON.stringify({ ...body, tool_choice: { type: 'auto', function: 'f' } }),
        /tool_choice/,
      ],
      ['a required tool without tools', JSON.stringify({ ...body, tool_choice: { type: 'required' } }), /tool_choice/],
      [
        'a schema format without schema',
        JSON.stringify({ ...body, output_format: { type: 'json_schema' } }),
        /json_schema/,
      ],
      ['deep nesting', `{"x":${'['.repeat(300)}${']'.repeat(300)}}`, /nested/],
    ])('answers 400 before admission for %s', async (_what, sent, message) => {
      const res = await post().set('Content-Type', 'application/json').send(sent);
      expect(res.status).toBe(400);
      expect(res.body).toMatchObject({ error: 'api_error', status_code: 400, layer: 'request', cause: 'validation' });
      expect(res.body.message).toMatch(message);
      expect(admits).toHaveLength(0);
    });

    it('answers 400 naming an unknown model', async () => {
      decision = { decision: { case: 'refused', value: { code: 'INVALID_INPUT', message: 'unknown model: nope' } } };
      const res = await post().send({ ...body, model: 'nope' });
      expect(res.status).toBe(400);
      expect(res.body.message).toContain('nope');
      expect(turns).toHaveLength(0);
    });

    it('refuses query parameters on the native endpoint, before it admits', async () => {
      const { status, body: answer } = await post('/api/v1/responses?stream=true&b').send(body);
      expect([status, answer.message]).toEqual([400, 'unknown query parameters: stream, b']);
      expect(admits).toEqual([]);
    });

    it('answers 400 for a model that cannot write text', async () => {
      decision = { decision: { case: 'refused', value: { code: 'INVALID_INPUT', message: 'has no price' } } };
      const res = await post().send({ ...body, model: 'sandbox/image-1' });
      expect([res.status, res.body.code, res.body.message]).toEqual([
        400,
        'MODEL_CAPABILITY_UNSUPPORTED',
        'model sandbox/image-1 lacks the capability text',
      ]);
    });
  });

  describe('401 and 403', () => {
    it.each([
      ['no credentials', () => request(server).post('/api/v1/responses'), 401, 'UNAUTHORIZED'],
      ['a bad key', () => post(undefined, 'tg_sk_nope'), 401, 'UNAUTHORIZED'],
      ['a publishable key', () => post(undefined, harness.tenant.publishableKey), 403, 'FORBIDDEN'],
      ["an owner's session", () => post(undefined, harness.tenant.ownerToken), 403, 'FORBIDDEN'],
    ])('refuses %s', async (_who, send, status, code) => {
      const res = await send().send(body);
      expect(res.status).toBe(status);
      expect(res.body).toMatchObject({ error: 'api_error', code, status_code: status, retryable: false });
      expect(admits).toHaveLength(0);
    });
  });

  describe('402 and 503', () => {
    it('answers a customer 402 for its own limit and a neutral 503 for a limit of the owner', async () => {
      decision = { decision: { case: 'refused', value: { code: 'WALLET_EMPTY', message: 'x' } } };
      const own = await post(undefined, harness.tenant.customerToken).send(body);
      expect([own.status, own.body.code]).toEqual([402, 'WALLET_EMPTY']);
      decision = { decision: { case: 'refused', value: { code: 'PROVIDER_ACCOUNT_UNFUNDED', message: 'x' } } };
      const owners = await post(undefined, harness.tenant.customerToken).send(body);
      expect([owners.status, owners.body.code, owners.headers['retry-after']]).toEqual([
        503,
        'SERVICE_UNAVAILABLE',
        '30',
      ]);
      const owner = await post().send(body);
      expect([owner.status, owner.body.code]).toEqual([402, 'PROVIDER_ACCOUNT_UNFUNDED']);
    });
  });

  describe('405', () => {
    it('answers another method with 405 and the allowed one', async () => {
      const res = await request(server)
        .get('/api/v1/responses')
        .set('Authorization', `Bearer ${harness.tenant.secretKey}`);
      expect([res.status, res.headers.allow]).toEqual([405, 'POST']);
    });
  });

  describe('503', () => {
    it('releases the hold when the answer of Admit is lost', async () => {
      decision = new AppError('SERVICE_UNAVAILABLE', 'a required service is not reachable');
      const res = await post().send(body);
      expect([res.status, res.body.code, turns.length]).toEqual([503, 'SERVICE_UNAVAILABLE', 0]);
      expect(releases).toMatchObject([{ holdIds: [admits[0]?.holdId], facts: { success: false } }]);
    });

    it('repeats the release of a hold until the ledger answers', async () => {
      decision = unreachable();
      ledgerFailures = 2;
      expect((await post().send(body)).status).toBe(503);
      await waitUntil(() => releases.length === 1, { what: 'the release' });
      expect(releases).toMatchObject([{ holdIds: [admits[0]?.holdId], facts: { success: false } }]);
    });

    it('answers a plain error with the provider’s status in a header when it fails before the stream starts', async () => {
      generate = async function* () {
        throw new AppError('PROVIDER_TIMEOUT', 'too slow', { providerRequestId: 'up-1' });
        // biome-ignore lint/correctness/noUnreachable: makes it a generator
        yield {};
      };
      const res = await post().set('Accept', 'text/event-stream').send(body);
      expect(res.status).toBe(503);
      expect(res.headers['x-service-upstream-status']).toBe('504');
      expect(res.body).toMatchObject({
        code: 'PROVIDER_TIMEOUT',
        status_code: 504,
        provider_request_id: 'up-1',
        retryable: true,
      });
    });
  });

  describe('a failed turn', () => {
    it.each([['SERVICE_UNAVAILABLE'], ['RELAY_TIMEOUT'], ['INTERNAL_ERROR']] as const)(
      'does not charge the customer for a turn that was dispatched and answered %s',
      async (code) => {
        generate = () => failing(new AppError(code, 'lost'));
        ledgerFailures = 1;
        expect((await post().send(body)).status).toBeGreaterThanOrEqual(500);
        await waitUntil(() => superseded.length === 1, { what: 'the supersession' });
        expect(superseded).toEqual([turns[0]?.req.holdId]);
      },
    );

    it("leaves the customer's charge alone when the provider has failed", async () => {
      generate = () => failing(new AppError('PROVIDER_ERROR', 'refused'));
      await post().send(body);
      expect(superseded).toEqual([]);
    });
  });
});

describe('streams', () => {
  const events = [
    { data: text('{"type":"start"}'), model: 'm', provider: 'p' },
    { more: [{ data: text('{"type":"update","delta":"a"}') }, { data: text('{"type":"update","delta":"b"}') }] },
    { data: text('{"type":"completion"}'), usage },
  ];

  it('sends lines of JSON under the profile that the client asked for', async () => {
    generate = () => frames(...events);
    const res = await post()
      .set('Accept', 'application/x-ndjson; profile="responses-stream/v2"')
      .send(body)
      .buffer(true)
      .parse(asText);
    expect(res.headers['content-type']).toBe('application/x-ndjson; profile="responses-stream/v2"');
    expect(res.headers['x-accel-buffering']).toBe('no');
    expect(res.body).toBe(
      '{"type":"start"}\n{"type":"update","delta":"a"}\n{"type":"update","delta":"b"}\n{"type":"completion"}\n',
    );
    expect(turns[0]?.req.stream).toBe(true);
  });

  it('sends SSE data', async () => {
    generate = () => frames(...events);
    const res = await post().set('Accept', 'text/event-stream').send(body).buffer(true).parse(asText);
    expect(res.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    expect(res.headers['cache-control']).toBe('no-store');
    expect(res.body.split('\n\n').slice(0, 2)).toEqual([
      'data: {"type":"start"}',
      'data: {"type":"update","delta":"a"}',
    ]);
  });

  it('ends in an error event when inference fails midway', async () => {
    generate = async function* () {
      yield events[0]!;
      throw new AppError('SERVICE_UNAVAILABLE', 'a required service is not reachable');
    };
    const res = await post().set('Accept', 'application/x-ndjson').send(body).buffer(true).parse(asText);
    const last = JSON.parse(res.body.trim().split('\n').at(-1));
    expect(last).toMatchObject({ type: 'error', code: 'SERVICE_UNAVAILABLE', status: 503, retryable: true });
    expect(last.request_id).toBe(res.headers['x-service-request-id']);
  });

  it('aborts the call when the client leaves', async () => {
    let isGone: () => void = () => undefined;
    const gone = new Promise<void>((resolve) => {
      isGone = resolve;
    });
    generate = async function* (_req, call) {
      call.signal.addEventListener('abort', () => isGone());
      yield events[0]!;
      await gone;
    };
    const res = await open('application/x-ndjson');
    await new Promise((resolve) => res.once('data', resolve));
    res.destroy();
    await gone;
  });

  it('waits for a slow reader instead of filling memory', async () => {
    const event = { data: text(JSON.stringify({ type: 'update', delta: 'x'.repeat(60_000) })) };
    let produced = 0;
    generate = async function* () {
      for (; produced < 2_000; produced++) yield event;
    };
    const res = await open('application/x-ndjson');
    let before = -1;
    for (let still = 0; still < 5; ) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      still = produced === before && produced > 0 ? still + 1 : 0;
      before = produced;
    }
    expect(produced).toBeLessThan(1_000);
    res.destroy();
  });
});

describe('Idempotency-Key', () => {
  it('gives the repeat the same answer without a second turn, and 409 for another body', async () => {
    const send = (sent: object) => post().set('Idempotency-Key', 'plain-1').send(sent);
    const first = await send(body);
    const again = await send(body);
    expect([first.status, again.status, again.text]).toEqual([200, 200, first.text]);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect([admits.length, turns.length]).toEqual([1, 1]);
    await send({ ...body, temperature: 1 }).expect(409);
  });

  it('supersedes an attempt that died before the repeat is admitted', async () => {
    const send = () => post().set('Idempotency-Key', 'died-1').send(body).expect(200);
    await send();
    await harness.ctx.pool.query(
      "UPDATE idempotency_records SET status = NULL, claimed_until = now() - interval '1 s' WHERE key = 'died-1'",
    );
    await send();
    expect(superseded).toEqual([admits[0]?.holdId]);
    expect(admits).toHaveLength(2);
  });

  it.each<[string, AppError]>([
    ['a lost answer', new AppError('SERVICE_UNAVAILABLE', 'a required service is not reachable')],
    ['a settlement that was not confirmed', new AppError('SERVICE_UNAVAILABLE', 'the request could not be settled')],
    ['a deadline', new AppError('RELAY_TIMEOUT', 'deadline exceeded')],
    ['a refusal inside the turn', new AppError('WALLET_EMPTY', 'no money for another model call')],
    ['an internal error', new AppError('INTERNAL_ERROR', 'internal error')],
  ])('supersedes an attempt that was dispatched and ended in %s', async (what, error) => {
    const send = () => post().set('Idempotency-Key', `unknown ${what}`.replaceAll(' ', '-')).send(body);
    generate = () => failing(error);
    expect((await send()).status).not.toBe(200);
    generate = plainly;
    expect((await send()).status).toBe(200);
    expect(new Set(superseded)).toEqual(new Set([admits[0]?.holdId]));
    expect((await send()).headers['idempotent-replayed']).toBe('true');
  });

  it('supersedes nothing after a refused admission, and after a call that never left', async () => {
    const send = () => post().set('Idempotency-Key', 'undispatched-1').send(body);
    decision = { decision: { case: 'refused', value: { code: 'WALLET_EMPTY', message: 'x' } } };
    expect((await send()).status).toBe(402);
    decision = admitted;
    generate = () => failing(notDelivered());
    expect((await send()).status).toBe(503);
    generate = plainly;
    expect((await send()).status).toBe(200);
    expect(superseded).toEqual([]);
  });

  it('does not dispatch an attempt whose hold was superseded before it was admitted', async () => {
    decision = { decision: { case: 'admitted', value: { modelId: 'm', hasEnded: true, wasReleased: true } } };
    const res = await post().set('Idempotency-Key', 'overtaken-1').send(body);
    expect(res.status).toBe(409);
    expect(res.body).toMatchObject({ code: 'CONFLICT', retryable: true });
    expect(turns).toHaveLength(0);
  });

  it('replays a streamed answer as the same events', async () => {
    generate = () => frames({ data: text('{"type":"start"}') }, { data: text('{"type":"completion"}'), usage });
    const send = () =>
      post()
        .set('Idempotency-Key', 'stream-1')
        .set('Accept', 'text/event-stream')
        .send(body)
        .buffer(true)
        .parse(asText);
    const first = await send();
    const again = await send();
    expect(again.body).toBe(first.body);
    expect(again.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    expect(turns).toHaveLength(1);
  });

  it('finishes a stream whose client does not read, so that the repeat does not wait for it', async () => {
    const large = { data: Buffer.alloc(1024 * 1024, 'x') };
    const all = [...Array.from({ length: 24 }, () => large), { data: text('{"type":"completion"}'), usage }];
    generate = () => frames(...all);
    const { port } = server.address() as AddressInfo;
    const stuck = connect(port, '127.0.0.1').pause();
    const sent = JSON.stringify(body);
    stuck.write(
      `POST /api/v1/responses HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${harness.tenant.secretKey}\r\n` +
        `Idempotency-Key: stuck-1\r\nAccept: text/event-stream\r\nContent-Length: ${sent.length}\r\n\r\n${sent}`,
    );
    await waitUntil(() => turns.length === 1, { what: 'the dispatch of the first attempt' });
    const again = await post().set('Idempotency-Key', 'stuck-1').set('Accept', 'text/event-stream').send(body);
    stuck.destroy();
    // More than the sockets buffer is larger than a kept answer.
    expect([again.status, again.headers['idempotent-replayed'], turns.length]).toEqual([409, 'true', 1]);
  });

  it('supersedes a stream that ended in an error after it was charged', async () => {
    generate = () =>
      frames({ data: text('{"type":"start"}') }, { data: text('{"type":"error"}'), usage, hasFailed: true });
    const send = () =>
      post()
        .set('Idempotency-Key', 'stream-2')
        .set('Accept', 'text/event-stream')
        .send(body)
        .buffer(true)
        .parse(asText);
    await send();
    generate = () => frames({ data: text('{"type":"start"}') }, { data: text('{"type":"completion"}'), usage });
    expect((await send()).body).toContain('completion');
    expect(new Set(superseded)).toEqual(new Set([admits[0]?.holdId]));
    expect(turns).toHaveLength(2);
  });

  it('finishes a stream whose client has left, so that the repeat gets it whole from one turn', async () => {
    let resume = (): void => {};
    const hasLeft = new Promise<void>((resolve) => {
      resume = resolve;
    });
    let isAborted = false;
    generate = async function* (_req, call) {
      call.signal.addEventListener('abort', () => {
        isAborted = true;
      });
      yield { data: text('{"type":"start"}') };
      await hasLeft;
      yield { data: text('{"type":"completion"}'), usage };
    };
    const key = { 'Idempotency-Key': 'left-1' };
    const res = await open('application/x-ndjson', key);
    await new Promise((resolve) => res.once('data', resolve));
    const closed = new Promise((resolve) => res.once('close', resolve));
    res.destroy();
    await closed;
    resume();
    const repeat = await post()
      .set({ ...key, Accept: 'application/x-ndjson' })
      .send(body)
      .buffer(true)
      .parse(asText);
    expect(repeat.body).toBe('{"type":"start"}\n{"type":"completion"}\n');
    expect(repeat.headers['idempotent-replayed']).toBe('true');
    expect([turns.length, isAborted, superseded.length]).toEqual([1, false, 0]);
  });

  it('does not keep refusals for lack of money, failures and broken streams', async () => {
    const send = () =>
      post()
        .set('Idempotency-Key', 'retry-1')
        .set('Accept', 'application/x-ndjson')
        .send(body)
        .buffer(true)
        .parse(asText);
    decision = { decision: { case: 'refused', value: { code: 'WALLET_EMPTY', message: 'x' } } };
    expect((await send()).status).toBe(402);
    decision = admitted;
    generate = () => frames({ data: text('{"type":"start"}') }, { data: text('{"type":"error"}') });
    expect((await send()).body).toContain('"error"');
    generate = () => frames({ data: text('{"type":"start"}') }, { data: text('{"type":"completion"}'), usage });
    expect((await send()).body).toContain('completion');
    expect(turns).toHaveLength(2);
  });
});

describe('POST /v1/chat/completions', () => {
  it('answers and refuses in the form of the dialect', async () => {
    const ok = await post('/v1/chat/completions').send(chatBody);
    expect([ok.status, ok.text]).toEqual([200, '{"id":"r1"}']);
    expect(ok.headers['x-request-id']).toBe(ok.headers['x-service-request-id']);
    expect(ok.headers['request-id']).toBe(ok.headers['x-service-request-id']);
    decision = { decision: { case: 'refused', value: { code: 'INVALID_INPUT', message: 'unknown model: nope' } } };
    const unknown = await post('/v1/chat/completions').send({ ...chatBody, model: 'nope' });
    expect(unknown.status).toBe(404);
    expect(unknown.body).toEqual({
      error: {
        message: expect.stringContaining('nope'),
        type: 'invalid_request_error',
        param: 'model',
        code: 'model_not_found',
      },
    });
    const invalid = await post('/v1/chat/completions').send({ model: 'x' });
    expect([invalid.status, invalid.body.error.type, invalid.body.error.param]).toEqual([
      400,
      'invalid_request_error',
      'messages',
    ]);
    const stranger = await request(server).post('/v1/chat/completions').send(chatBody);
    expect([stranger.status, stranger.body.error.type]).toEqual([401, 'authentication_error']);
  });

  it('reports whether to retry a provider error', async () => {
    generate = async function* () {
      throw new AppError('PROVIDER_ERROR', 'no', { upstreamStatus: 400 });
      // biome-ignore lint/correctness/noUnreachable: makes it a generator
      yield {};
    };
    const res = await post('/v1/chat/completions').send(chatBody);
    expect([res.status, res.headers['x-should-retry'], res.headers['x-service-upstream-status']]).toEqual([
      400,
      undefined,
      '400',
    ]);
  });

  it('streams data-only events', async () => {
    generate = () =>
      frames(
        { data: text('{"choices":[]}') },
        { more: [{ data: text('{"choices":[]}') }, { data: text('[DONE]') }], usage },
      );
    const res = await post('/v1/chat/completions')
      .send({ ...chatBody, stream: true })
      .buffer(true)
      .parse(asText);
    expect(res.body).toBe('data: {"choices":[]}\n\ndata: {"choices":[]}\n\ndata: [DONE]\n\n');
  });
});

function fileBody(file: object): string {
  return JSON.stringify({ ...body, input: [{ type: 'message', role: 'user', content: [{ type: 'file', file }] }] });
}

function asText(res: unknown, done: (error: Error | null, text: string) => void): void {
  const stream = res as IncomingMessage;
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  stream.on('end', () => done(null, Buffer.concat(chunks).toString('utf8')));
}

/** Opens a streamed answer that the test may read or leave unread. */
function open(accept: string, more: Record<string, string> = {}): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const authorization = `Bearer ${harness.tenant.secretKey}`;
    const headers = { authorization, accept, 'content-type': 'application/json', ...more };
    const req = httpRequest(`${baseUrl}/api/v1/responses`, { method: 'POST', headers }, resolve);
    req.on('error', reject);
    req.end(JSON.stringify(body));
  });
}
