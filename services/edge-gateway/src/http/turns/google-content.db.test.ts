// Turns in Google's dialect: the path names the model and whether the answer is streamed.
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
const body = {
  contents: [{ role: 'user', parts: [{ text: '12345678' }] }],
  generationConfig: { maxOutputTokens: 9 },
};
const at = (method: string, name = model) => `/v1beta/models/${name}:${method}`;
const PLAIN = at('generateContent');
const STREAM = at('streamGenerateContent');

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
  harness = await startRouteTest('google_content', [], [billing, inference]);
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

function post(path: string, headers: Record<string, string> = { 'x-goog-api-key': harness.tenant.secretKey }) {
  return request(harness.app).post(path).set(headers);
}

describe('POST /v1beta/models/{model}:generateContent', () => {
  it.each([
    ['an id with a slash', PLAIN, model],
    ['an id with an encoded slash', at('generateContent', 'sandbox%2Fecho-1'), model],
    ['the path of version 3', `/v1/models/${model}:generateContent`, model],
    ['a bare id and a trailing slash', `${at('generateContent', 'echo-1')}/`, 'echo-1'],
  ])('admits by size and bound, and dispatches the exact body, for %s', async (_what, path, name) => {
    const res = await post(path).send(body).expect(200);
    expect(res.text).toBe('{"ok":1}');
    expect(admits).toMatchObject([{ model: name, maxOutputTokens: 9 }]);
    expect(turns).toMatchObject([
      { dialect: Dialect.GOOGLE_GENERATE, stream: false, modelId: model, modelName: name, holdId: admits[0]?.holdId },
    ]);
    expect(JSON.parse(Buffer.from(turns[0]!.body).toString())).toEqual(body);
    expect(res.headers['x-request-id']).toBe(res.headers['x-service-request-id']);
  });

  it.each([
    ['INVALID_INPUT', 404, 'NOT_FOUND', 'NOT_FOUND'],
    ['FORBIDDEN', 403, 'PERMISSION_DENIED', 'FORBIDDEN'],
    ['WALLET_EMPTY', 402, 'FAILED_PRECONDITION', 'WALLET_EMPTY'],
  ])('refuses what the ledger refuses as %s with %i %s and our code', async (code, status, name, reason) => {
    decision = { decision: { case: 'refused', value: { code, message: 'no' } } };
    const path = code === 'INVALID_INPUT' ? at('generateContent', 'nope') : PLAIN;
    const { body: refused } = await post(path).send(body).expect(status);
    expect(refused.error).toMatchObject({ code: status, status: name });
    expect(refused.error.details[0]).toMatchObject({ reason, domain: 'tollgate' });
    expect(turns).toHaveLength(0);
  });

  it.each([
    [new AppError('PROVIDER_ERROR', 'x', { upstreamStatus: 429, retryAfterSeconds: 7 }), 429, 'RESOURCE_EXHAUSTED'],
    [new AppError('PROVIDER_ERROR', 'x', { upstreamStatus: 400 }), 400, 'INVALID_ARGUMENT'],
    [new AppError('SERVICE_UNAVAILABLE', 'x'), 503, 'UNAVAILABLE'],
  ])('answers failure %# with its status', async (error, status, name) => {
    generate = fails(error);
    const res = await post(PLAIN).send(body).expect(status);
    expect(res.body.error).toMatchObject({ code: status, status: name });
  });

  it('refuses missing and invalid credentials and invalid bodies in its own shape', async () => {
    const anonymous = await post(PLAIN, {}).send(body).expect(401);
    expect(anonymous.body.error.status).toBe('UNAUTHENTICATED');
    const browser = await post(PLAIN, { 'x-goog-api-key': harness.tenant.publishableKey }).send(body).expect(403);
    expect(browser.body.error.status).toBe('PERMISSION_DENIED');
    await post(PLAIN, { 'x-api-key': harness.tenant.secretKey }).send(body).expect(401);
    const broken = await post(PLAIN).set('Content-Type', 'application/json').send('{').expect(400);
    expect(broken.body.error.status).toBe('INVALID_ARGUMENT');
    const empty = await post(PLAIN).send({}).expect(400);
    expect(empty.body.error.details[1].fieldViolations).toEqual([{ field: 'contents', description: 'is required' }]);
    expect(admits).toHaveLength(0);
  });

  it('refuses a key in the URL without showing it, even beside a valid header', async () => {
    const allHeaders: Record<string, string>[] = [{}, { 'x-goog-api-key': harness.tenant.secretKey }];
    for (const headers of allHeaders) {
      const res = await post(`${PLAIN}?key=${harness.tenant.secretKey}`, headers).send(body).expect(401);
      expect(res.body.error.message).toContain('x-goog-api-key');
      expect(res.text).not.toContain(harness.tenant.secretKey);
    }
  });

  it('gives a repeat under one key the first answer, and the same key of another model its own', async () => {
    const send = (path: string) => post(path).set('Idempotency-Key', 'one').send(body).expect(200);
    expect((await send(PLAIN)).text).toBe((await send(PLAIN)).text);
    expect(turns).toHaveLength(1);
    await send(at('generateContent', 'echo-1'));
    expect(turns).toHaveLength(2);
  });

  it('lists the methods of a path, and knows no other method of a model', async () => {
    const res = await request(harness.app).get(PLAIN).expect(405);
    expect(res.headers.allow).toBe('POST');
    expect(res.body.error).toMatchObject({ code: 405, status: 'UNIMPLEMENTED' });
    const other = await post('/v1beta/caches').send({}).expect(404);
    expect(other.body.error).toMatchObject({ code: 404, status: 'NOT_FOUND' });
    await post(at('generateContent', '%ZZ')).send(body).expect(400);
    await post(at('generateContent', 'm'.repeat(257)))
      .send(body)
      .expect(400);
  });
});

describe('POST /v1beta/models/{model}:streamGenerateContent', () => {
  const stream = (query: string) => post(`${STREAM}${query}`).send(body).buffer(true).parse(asText);

  /** Reads a stream whose connection the server breaks. */
  async function readBroken(query: string): Promise<string> {
    let read = '';
    const asked = post(`${STREAM}${query}`)
      .send(body)
      .buffer(true)
      .parse((res: unknown) =>
        (res as IncomingMessage).on('data', (chunk: Buffer) => (read += chunk.toString('utf8'))),
      );
    await expect(asked).rejects.toThrow('aborted');
    return read;
  }

  const events = () => frames({ data: text('{"a":1}') }, { more: [{ data: text('{"b":2}') }], usage: {} });

  it('sends server-sent events with alt=sse', async () => {
    generate = events;
    const res = await stream('?alt=sse');
    expect(turns[0]?.stream).toBe(true);
    expect(res.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    expect(res.body).toBe('data: {"a":1}\n\ndata: {"b":2}\n\n');
  });

  it.each(['', '?alt=json'])('sends the elements of one list with %j', async (query) => {
    generate = events;
    const res = await stream(query);
    expect(res.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(JSON.parse(res.body)).toEqual([{ a: 1 }, { b: 2 }]);
  });

  it('ends in an error and breaks the connection when inference fails midway', async () => {
    generate = fails(new AppError('SERVICE_UNAVAILABLE', 'gone'), { data: text('{"a":1}') });
    const [, last = ''] = (await readBroken('?alt=sse')).split('\n\n');
    expect(JSON.parse(last).error).toMatchObject({ code: 503, status: 'UNAVAILABLE', message: 'gone' });
    expect(JSON.parse(await readBroken(''))).toMatchObject([{ a: 1 }, { error: { code: 503 } }]);
  });

  it('sends an error that inference has written in the same way', async () => {
    const error = { data: text('{"error":{"code":500}}'), event: 'error', hasFailed: true };
    generate = () => frames({ data: text('{"a":1}') }, error);
    expect(await readBroken('?alt=sse')).toBe('data: {"a":1}\n\n{"error":{"code":500}}');
  });

  it('answers a plain error when it fails before the first event', async () => {
    generate = fails(new AppError('PROVIDER_TIMEOUT', 'slow'));
    const res = await post(`${STREAM}?alt=sse`).send(body).expect(503);
    expect(res.body.error).toMatchObject({ code: 503, message: 'slow' });
  });

  it('replays a whole list for a repeat under one key', async () => {
    generate = events;
    const send = () => post(STREAM).set('Idempotency-Key', 'list').send(body).expect(200);
    expect((await send()).body).toEqual([{ a: 1 }, { b: 2 }]);
    expect((await send()).body).toEqual([{ a: 1 }, { b: 2 }]);
    expect(turns).toHaveLength(1);
  });
});

function asText(res: unknown, done: (error: Error | null, text: string) => void): void {
  const stream = res as IncomingMessage;
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  stream.on('end', () => done(null, Buffer.concat(chunks).toString('utf8')));
}
