// Turns in the vendors' dialects: the parts in which each differs.
import type { IncomingMessage } from 'node:http';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type AdmitRequest,
  type AdmitResponseSchema,
  BillingService,
} from '@tollgate/contracts/billing/v1/billing_pb.js';
import {
  Dialect,
  type GenerateRequest,
  type GenerateResponseSchema,
  InferenceService,
} from '@tollgate/contracts/inference/v1/inference_pb.js';
import { AppError } from '@tollgate/errors';
import request from 'supertest';
import { peer, type RouteTest, startRouteTest } from '../../testing/route-test.js';

type Frame = MessageInitShape<typeof GenerateResponseSchema>;
type Decision = MessageInitShape<typeof AdmitResponseSchema>;

const model = 'sandbox/echo-1';
const admitted: Decision = { decision: { case: 'admitted', value: { modelId: model, maxOutputTokens: 100 } } };
const options = [
  { id: 'a', description: 'one' },
  { id: 'b', description: 'other' },
];

interface DialectRow {
  path: string;
  body: Record<string, unknown>;
  dialect: Dialect;
  /** The output bound that admission is asked for. */
  maxOutputTokens: number | undefined;
  shape: 'openai' | 'anthropic';
  streams: boolean;
}

const rows: DialectRow[] = [
  {
    path: '/v1/chat/completions',
    body: { model, messages: [{ role: 'user', content: '12345678' }], max_tokens: 9 },
    dialect: Dialect.OPENAI_CHAT,
    maxOutputTokens: 9,
    shape: 'openai',
    streams: true,
  },
  {
    path: '/v1/responses',
    body: { model, input: '12345678', max_output_tokens: 9 },
    dialect: Dialect.OPENAI_RESPONSES,
    maxOutputTokens: 9,
    shape: 'openai',
    streams: true,
  },
  {
    path: '/v1/messages',
    body: { model, messages: [{ role: 'user', content: '12345678' }], max_tokens: 9 },
    dialect: Dialect.ANTHROPIC_MESSAGES,
    maxOutputTokens: 9,
    shape: 'anthropic',
    streams: true,
  },
  {
    path: '/v1/decisions',
    body: { model, input: '12345678', options },
    dialect: Dialect.DECISIONS,
    maxOutputTokens: 2_048,
    shape: 'openai',
    streams: false,
  },
];
const streaming = rows.filter(({ streams }) => streams);

let admits: AdmitRequest[];
let turns: GenerateRequest[];
let decision: Decision;
let generate: () => AsyncIterable<Frame>;
let harness: RouteTest;

beforeAll(async () => {
  const billing = peer(BillingService, {
    admit: (req) => {
      admits.push(req);
      return decision;
    },
    release: () => ({}),
  });
  const inference = peer(InferenceService, {
    generate: (req) => {
      turns.push(req);
      return generate();
    },
  });
  harness = await startRouteTest('dialects', [], [billing, inference]);
});

afterAll(() => harness.stop());

beforeEach(() => {
  admits = [];
  turns = [];
  decision = admitted;
  generate = () => frames({ data: text('{"ok":1}'), usage: { inputTokens: 1n, outputTokens: 1n } });
});

function text(value: string): Uint8Array {
  return new TextEncoder().encode(value);
}

async function* frames(...all: Frame[]): AsyncGenerator<Frame> {
  for (const frame of all) yield frame;
}

function fails(error: AppError, ...before: Frame[]) {
  return async function* (): AsyncGenerator<Frame> {
    yield* before;
    throw error;
  };
}

function post(path: string, headers: Record<string, string> = { authorization: `Bearer ${harness.tenant.secretKey}` }) {
  return request(harness.app).post(path).set(headers);
}

/** Type and message of an error of either shape. */
function readError(shape: DialectRow['shape'], body: { type?: string; error?: { type: string; message: string } }) {
  if (shape === 'anthropic') expect(body).toMatchObject({ type: 'error', request_id: expect.any(String) });
  else expect(body.error).toHaveProperty('param');
  return body.error!;
}

describe.each(rows)('POST $path', ({ path, body, dialect, maxOutputTokens, shape }) => {
  it('admits by size and bound, and dispatches the exact body in its dialect', async () => {
    const res = await post(path).send(body).expect(200);
    expect(res.text).toBe('{"ok":1}');
    expect(admits).toMatchObject([{ model, maxOutputTokens }]);
    expect(Number(admits[0]?.inputTokensEstimate)).toBeGreaterThanOrEqual(6);
    expect(turns).toMatchObject([{ dialect, stream: false, modelId: model, holdId: admits[0]?.holdId }]);
    expect(JSON.parse(Buffer.from(turns[0]!.body).toString())).toEqual(body);
    for (const name of ['x-request-id', 'request-id']) {
      expect(res.headers[name]).toBe(res.headers['x-service-request-id']);
    }
  });

  it.each([
    ['an unknown model', 'INVALID_INPUT', 404, 'invalid_request_error', 'not_found_error'],
    ['a model outside the tier', 'FORBIDDEN', 403, 'permission_error', 'permission_error'],
    ['an empty wallet', 'WALLET_EMPTY', 402, 'insufficient_quota', 'billing_error'],
    ['a spent allowance', 'TIER_ALLOWANCE_EXHAUSTED', 402, 'insufficient_quota', 'billing_error'],
  ])('refuses %s in the form of the dialect without dispatching', async (_what, code, status, openAi, anthropic) => {
    decision = { decision: { case: 'refused', value: { code, message: 'no' } } };
    const asked = code === 'INVALID_INPUT' ? { ...body, model: 'nope' } : body;
    const res = await post(path).send(asked).expect(status);
    expect(readError(shape, res.body).type).toBe(shape === 'openai' ? openAi : anthropic);
    expect(res.headers['x-should-retry']).toBeUndefined();
    expect(turns).toHaveLength(0);
  });

  it.each([
    [new AppError('PROVIDER_ERROR', 'x', { upstreamStatus: 429, retryAfterSeconds: 7 }), 429, 'true', '7'],
    [new AppError('PROVIDER_ERROR', 'x', { upstreamStatus: 503 }), 500, 'true', '1'],
    [new AppError('PROVIDER_ERROR', 'x', { upstreamStatus: 400 }), 400, undefined, undefined],
    [new AppError('PROVIDER_TIMEOUT', 'x'), 503, 'true', '1'],
    [new AppError('SERVICE_UNAVAILABLE', 'x', { retryAfterSeconds: 3_600 }), 503, 'true', '59'],
  ])('answers failure %# with its status and whether to retry', async (error, status, retry, after) => {
    generate = fails(error);
    const res = await post(path).send(body).expect(status);
    readError(shape, res.body);
    expect([res.headers['x-should-retry'], res.headers['retry-after']]).toEqual([retry, after]);
    expect(res.headers['request-id']).toBe(res.headers['x-service-request-id']);
  });

  it('refuses missing and invalid credentials and invalid bodies in its own shape', async () => {
    const anonymous = await post(path, {}).send(body).expect(401);
    expect(readError(shape, anonymous.body).type).toBe('authentication_error');
    const browser = await post(path, { authorization: `Bearer ${harness.tenant.publishableKey}` })
      .send(body)
      .expect(403);
    expect(readError(shape, browser.body).type).toBe('permission_error');
    const broken = await post(path).set('Content-Type', 'application/json').send('{').expect(400);
    expect(readError(shape, broken.body).type).toBe('invalid_request_error');
    const empty = await post(path).send({}).expect(400);
    expect(readError(shape, empty.body).message).not.toBe('Invalid input');
    expect(admits).toHaveLength(0);
  });

  it("accepts the vendor's key header only where that vendor's library calls", async () => {
    const res = await post(path, { 'x-api-key': harness.tenant.secretKey }).send(body);
    expect(res.status).toBe(shape === 'anthropic' ? 200 : 401);
  });

  it('gives a repeat under one key the first answer', async () => {
    const send = () => post(path).set('Idempotency-Key', `key-of-${dialect}`).send(body).expect(200);
    expect((await send()).text).toBe((await send()).text);
    expect(turns).toHaveLength(1);
  });
});

describe.each(streaming)('a stream of POST $path', ({ path, body, shape }) => {
  const stream = () =>
    post(path)
      .send({ ...body, stream: true })
      .buffer(true)
      .parse(asText);

  it('sends events with their names', async () => {
    generate = () => frames({ data: text('{"a":1}'), event: 'x' }, { more: [{ data: text('{"b":2}') }], usage: {} });
    const res = await stream();
    expect(turns[0]?.stream).toBe(true);
    expect(res.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    expect(res.headers['cache-control']).toBe('no-store');
    expect(res.body).toBe('event: x\ndata: {"a":1}\n\ndata: {"b":2}\n\n');
  });

  it('ends in the error event of the dialect when inference fails midway', async () => {
    generate = fails(new AppError('SERVICE_UNAVAILABLE', 'gone'), { data: text('{"a":1}'), event: 'x' });
    const last = (await stream()).body.trim().split('\n\n').at(-1);
    const data = JSON.parse(last.slice(last.indexOf('data: ') + 'data: '.length));
    if (path !== '/v1/chat/completions') expect(last).toMatch(/^event: error\n/);
    expect(data.error).toMatchObject({
      type: shape === 'anthropic' ? 'overloaded_error' : 'server_error',
      message: 'gone',
    });
  });

  it('answers a plain error when it fails before the first event', async () => {
    generate = fails(new AppError('PROVIDER_TIMEOUT', 'slow'));
    const res = await post(path)
      .send({ ...body, stream: true })
      .expect(503);
    expect(res.headers['content-type']).toContain('application/json');
    expect(readError(shape, res.body).message).toBe('slow');
  });
});

it("forwards the features that Anthropic's client library enables by a header", async () => {
  const [, , { path, body }] = rows as [DialectRow, DialectRow, DialectRow];
  const headers = { 'x-api-key': harness.tenant.secretKey, 'anthropic-beta': 'one-2025-01-01, two-2025-02-02,' };
  await post(path, headers).send(body).expect(200);
  await post(path).send(body).expect(200);
  expect(turns.map(({ betas }) => betas)).toEqual([['one-2025-01-01', 'two-2025-02-02'], []]);
});

function asText(res: unknown, done: (error: Error | null, text: string) => void): void {
  const stream = res as IncomingMessage;
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  stream.on('end', () => done(null, Buffer.concat(chunks).toString('utf8')));
}
