import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { fromBackgroundResponseId } from '@tollgate/api/compatible';
import { BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { HoldService } from '@tollgate/contracts/billing/v1/holds_pb.js';
import { StoredResponseService } from '@tollgate/contracts/inference/v1/stored_responses_pb.js';
import {
  BackgroundResponseService,
  type CreateBackgroundResponseRequest,
} from '@tollgate/contracts/workflow/v1/background_responses_pb.js';
import { AppError } from '@tollgate/errors';
import request from 'supertest';
import { discardLostResponses } from '../../operations/attempts/discard-lost-responses.js';
import { peer, type RouteTest, startRouteTest } from '../../testing/route-test.js';
import {
  cancelCompatibleResponse,
  deleteCompatibleResponse,
  getCompatibleResponse,
} from '../routes/compatible/stored-responses.js';

// Requests with `background: true`: what is held, queued and undone.

const ROUTES = [getCompatibleResponse, cancelCompatibleResponse, deleteCompatibleResponse];

/** Calls of other services, in order. */
let events: string[];
let queued: CreateBackgroundResponseRequest[];
/** Thrown after a request is queued. */
let failure: AppError | undefined;
let refusal: string | undefined;
/** Whether no engine can be reached for a discard. */
let discardFails: boolean;
let harness: RouteTest;

beforeAll(async () => {
  const billing = peer(BillingService, {
    admit: ({ holdId }) => {
      events.push(`held ${holdId}`);
      if (refusal) return { decision: { case: 'refused', value: { code: refusal, message: 'no' } } };
      return { decision: { case: 'admitted', value: { modelId: 'sandbox/echo-1', maxOutputTokens: 100 } } };
    },
    release: ({ holdIds }) => {
      events.push(`released ${holdIds}`);
      return {};
    },
  });
  const holds = peer(HoldService, {
    supersedeHolds: ({ holdIds }) => {
      events.push(`superseded ${holdIds}`);
      return {};
    },
  });
  const stored = peer(StoredResponseService, {
    discardAttempt: () => ({}),
    getResponse: () => fail(),
    deleteResponse: () => fail(),
  });
  const background = peer(BackgroundResponseService, {
    createBackgroundResponse: (req) => {
      queued.push(req);
      events.push(`queued ${req.holdId}`);
      if (failure) throw failure;
      return {
        responseJson: Buffer.from(JSON.stringify({ ...JSON.parse(Buffer.from(req.headJson).toString()), output: [] })),
      };
    },
    getBackgroundResponse: () => fail(),
    cancelBackgroundResponse: () => fail(),
    deleteBackgroundResponse: () => fail(),
    discardBackgroundResponse: ({ holdId }) => {
      if (discardFails) throw new AppError('SERVICE_UNAVAILABLE', 'not now', { retryable: true });
      events.push(`discarded ${holdId}`);
      return {};
    },
  });
  harness = await startRouteTest('queue_response', ROUTES, [billing, holds, stored, background], {
    env: { RESPONSE_STORAGE: '1' },
  });
});
afterAll(() => harness.stop());
beforeEach(() => {
  events = [];
  queued = [];
  failure = undefined;
  refusal = undefined;
  discardFails = false;
});

function fail(): never {
  throw new AppError('NOT_FOUND', 'response not found');
}

const ask = (body: object = {}, headers: Record<string, string> = {}) =>
  request(harness.app)
    .post('/v1/responses')
    .set({ authorization: `Bearer ${harness.tenant.secretKey}`, ...headers })
    .send({ model: 'sandbox/echo-1', input: 'hi', background: true, ...body });

it('holds the funds, queues the request under its hold, and answers with a response of the same id', async () => {
  const { status, body } = await ask({ metadata: { a: 'b' } });
  expect(status).toBe(200);
  const [{ holdId, storage, body: bytes }] = queued as [CreateBackgroundResponseRequest];
  expect(events).toEqual([`held ${holdId}`, `queued ${holdId}`]);
  expect(body).toMatchObject({ object: 'response', background: true, store: true, metadata: { a: 'b' } });
  expect(fromBackgroundResponseId(body.id)).toBe(holdId);
  expect(storage).toMatchObject({ previousKey: '', historyItems: 0, conversationKey: '', isUnlisted: false });
  expect(JSON.parse(Buffer.from(bytes).toString())).toMatchObject({ input: 'hi' });
});

it('queues nothing when the funds are refused', async () => {
  refusal = 'WALLET_EMPTY';
  expect((await ask()).status).toBe(402);
  expect(queued).toEqual([]);
});

it('releases the hold when the queue is full', async () => {
  failure = new AppError('RATE_LIMIT', 'too many', { retryable: true });
  expect((await ask()).status).toBe(429);
  const { holdId } = queued[0]!;
  expect(events).toEqual([`held ${holdId}`, `queued ${holdId}`, `released ${holdId}`]);
});

it('supersedes and discards a request of which it is unknown whether it was queued', async () => {
  failure = new AppError('SERVICE_UNAVAILABLE', 'the answer was lost', { retryable: true });
  expect((await ask()).status).toBe(503);
  const { holdId } = queued[0]!;
  expect(events).toEqual([`held ${holdId}`, `queued ${holdId}`, `superseded ${holdId}`, `discarded ${holdId}`]);
});

it('repeats a discard that failed, although nothing repeats the request', async () => {
  failure = new AppError('SERVICE_UNAVAILABLE', 'the answer was lost', { retryable: true });
  discardFails = true;
  expect((await ask()).status).toBe(503);
  const { holdId } = queued[0]!;
  expect(events).not.toContain(`discarded ${holdId}`);
  const makeDue = () => harness.ctx.pool.query("UPDATE lost_responses SET due_at = now() - interval '1 s'");
  await makeDue();
  await discardLostResponses(harness.ctx);
  discardFails = false;
  await makeDue();
  await discardLostResponses(harness.ctx);
  expect(events.filter((event) => event === `discarded ${holdId}`)).toHaveLength(1);
  expect((await harness.ctx.pool.query('SELECT 1 FROM lost_responses')).rows).toEqual([]);
});

it('discards the lost attempt before a repeat with its idempotency key is queued', async () => {
  const headers = { 'Idempotency-Key': randomUUID() };
  failure = new AppError('SERVICE_UNAVAILABLE', 'the answer was lost', { retryable: true });
  await ask({}, headers);
  events = [];
  failure = undefined;
  const { status, body } = await ask({}, headers);
  expect(status).toBe(200);
  const [lost, repeated] = queued.map(({ holdId }) => holdId);
  expect(events).toEqual([`superseded ${lost}`, `discarded ${lost}`, `held ${repeated}`, `queued ${repeated}`]);
  expect((await ask({}, headers)).body).toEqual(body);
  expect(queued).toHaveLength(2);
});

it('refuses metadata that exceeds the limits of the vendor', async () => {
  for (const metadata of [
    Object.fromEntries(Array.from({ length: 17 }, (_, i) => [`key ${i}`, 'v'])),
    { [`${'k'.repeat(65)}`]: 'v' },
    { key: 'v'.repeat(513) },
    { key: { nested: true } },
  ]) {
    expect((await ask({ metadata })).status).toBe(400);
  }
  const metadata = Object.fromEntries(Array.from({ length: 16 }, (_, i) => [`key ${i}`, 'v'.repeat(512)]));
  expect((await ask({ metadata })).status).toBe(200);
});
