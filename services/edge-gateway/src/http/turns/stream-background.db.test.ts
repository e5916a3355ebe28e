// Streams of background responses over HTTP, from an engine that the test plays.
import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { toBackgroundResponseId } from '@tollgate/api/compatible';
import { BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { HoldService } from '@tollgate/contracts/billing/v1/holds_pb.js';
import { StoredResponseService } from '@tollgate/contracts/inference/v1/stored_responses_pb.js';
import { BackgroundResponseService } from '@tollgate/contracts/workflow/v1/background_responses_pb.js';
import { AppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import request from 'supertest';
import { peer, type RouteTest, startRouteTest } from '../../testing/route-test.js';
import { getCompatibleResponse } from '../routes/compatible/stored-responses.js';

interface Page {
  events?: { sequenceNumber: number; type: string; data: Buffer }[];
  isComplete?: boolean;
}

/** Returns the pages of one call. Throwing breaks its stream. */
type Play = (startingAfter: number | undefined, call: Call) => AsyncGenerator<Page>;

let harness: RouteTest;
let server: Server;
let play: Play;
let positions: (number | undefined)[];
/** Calls of other services, in order. */
let events: string[];
let calls: Call[];

beforeAll(async () => {
  const billing = peer(BillingService, {
    admit: () => ({ decision: { case: 'admitted', value: { modelId: 'sandbox/echo-1', maxOutputTokens: 100 } } }),
  });
  const holds = peer(HoldService, {
    supersedeHolds: () => {
      events.push('superseded');
      return {};
    },
  });
  const stored = peer(StoredResponseService, {
    discardAttempt: () => ({}),
    getResponse: ({ responseId }) => {
      if (responseId === 'resp_plain') return { responseJson: Buffer.from('{}') };
      throw new AppError('NOT_FOUND', 'response not found');
    },
  });
  const background = peer(BackgroundResponseService, {
    createBackgroundResponse: ({ isStreamed }) => {
      events.push(isStreamed ? 'queued a stream' : 'queued');
      return { responseJson: Buffer.from('{}') };
    },
    getBackgroundResponse: () => {
      throw new AppError('NOT_FOUND', 'response not found');
    },
    discardBackgroundResponse: () => {
      events.push('discarded');
      return {};
    },
    async *streamBackgroundResponse({ startingAfter }, call) {
      positions.push(startingAfter);
      calls.push(call);
      yield* play(startingAfter, call) as AsyncGenerator<never>;
    },
  });
  harness = await startRouteTest('stream_background', [getCompatibleResponse], [billing, holds, stored, background], {
    env: { RESPONSE_STORAGE: '1' },
  });
  server = createServer(harness.app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await harness.stop();
});
beforeEach(() => {
  positions = [];
  events = [];
  calls = [];
  play = async function* () {
    yield page([0, 1], false);
    yield page([2], true);
  };
});

const page = (numbers: readonly number[], isComplete: boolean): Page => ({
  events: numbers.map((sequenceNumber) => ({
    sequenceNumber,
    type: 'response.queued',
    data: Buffer.from(JSON.stringify({ sequence_number: sequenceNumber })),
  })),
  isComplete,
});

const id = toBackgroundResponseId(randomUUID());
const authorization = () => ({ authorization: `Bearer ${harness.tenant.secretKey}` });
const read = (query: object, name = id) =>
  request(server).get(`/v1/responses/${name}`).query(query).set(authorization());
const ask = (headers: Record<string, string> = {}) =>
  request(server)
    .post('/v1/responses')
    .set({ ...authorization(), ...headers })
    .send({ model: 'sandbox/echo-1', input: 'hi', background: true, stream: true });
const toNumbers = (text: string) => [...text.matchAll(/"sequence_number":(\d+)/g)].map(([, number]) => Number(number));

describe('200', () => {
  it('streams a new response from its start as named events', async () => {
    const { status, headers, text } = await ask();
    expect(status).toBe(200);
    expect(headers['content-type']).toContain('text/event-stream');
    expect(text).toMatch(/^event: response\.queued\ndata: \{"sequence_number":0\}\n\n/);
    expect(toNumbers(text)).toEqual([0, 1, 2]);
    expect(positions).toEqual([undefined]);
    expect(events).toEqual(['queued a stream']);
  });

  it('repeats the stream for the same idempotency key', async () => {
    const key = { 'Idempotency-Key': randomUUID() };
    const first = await ask(key);
    const second = await ask(key);
    expect(second.text).toBe(first.text);
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect(events).toEqual(['queued a stream']);
  });

  it('starts behind the position of the client', async () => {
    const { text } = await read({ stream: true, starting_after: 1 });
    expect(positions).toEqual([1]);
    expect(toNumbers(text)).toEqual([2]);
  });

  it('continues on another engine when one is lost or stops', async () => {
    play = async function* () {
      if (positions.length === 1) {
        yield page([0, 1], false);
        throw new AppError('SERVICE_UNAVAILABLE', 'the engine was lost', { retryable: true });
      }
      yield page([1, 2], false);
      if (positions.length === 2) return;
      yield page([3], true);
    };
    const { text } = await read({ stream: '1' });
    expect(toNumbers(text)).toEqual([0, 1, 2, 3]);
    expect(positions).toEqual([undefined, 1, 2]);
  });

  it('ends in an error event when the response is deleted', async () => {
    play = async function* () {
      yield page([0], false);
      throw new AppError('NOT_FOUND', 'response not found');
    };
    const { status, text } = await read({ stream: true });
    expect(status).toBe(200);
    expect(text).toContain('response not found');
    expect(positions).toHaveLength(1);
  });

  it('ends its call, and keeps the response, when the client leaves', async () => {
    play = async function* (_, call) {
      yield page([0], false);
      await new Promise((resolve) => call.onAbort(() => resolve(undefined)));
    };
    const { port } = server.address() as AddressInfo;
    const left = new AbortController();
    const response = await fetch(`http://127.0.0.1:${port}/v1/responses`, {
      method: 'POST',
      headers: { ...authorization(), 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'sandbox/echo-1', input: 'hi', background: true, stream: true }),
      signal: left.signal,
    });
    await response.body!.getReader().read();
    left.abort();
    await new Promise<void>((resolve) => (calls[0]!.isAborted ? resolve() : calls[0]!.onAbort(resolve)));
    expect(events).toEqual(['queued a stream']);
  });
});

describe('400', () => {
  it('refuses a response that has no stream, and a position without a stream', async () => {
    const refusals = [
      [await read({ stream: true }, 'resp_plain'), 'stream'],
      [await read({ starting_after: 1 }), 'starting_after'],
      [await read({ stream: true, starting_after: -1 }), 'starting_after'],
      [await read({ stream: 'yes' }), 'stream'],
    ] as const;
    for (const [{ status, body }, param] of refusals) {
      expect({ status, param: body.error.param }).toEqual({ status: 400, param });
    }
    expect(positions).toEqual([]);
  });
});

describe('404', () => {
  it('answers a plain error for an unknown response', async () => {
    play = async function* () {
      yield* [];
      throw new AppError('NOT_FOUND', 'response not found');
    };
    for (const name of [id, 'resp_unknown']) expect((await read({ stream: true }, name)).status).toBe(404);
  });
});

describe('429', () => {
  it('refuses further streams of a caller that has too many, before anything is queued', async () => {
    const { projectId } = harness.tenant;
    const places = Array.from({ length: 400 }, () => harness.ctx.backgroundStreams.take({ projectId, customerId: '' }));
    for (const refused of [await ask(), await read({ stream: true })]) expect(refused.status).toBe(429);
    expect(events).toEqual([]);
    for (const free of places.slice(0, 1)) free();
    // Streams that have ended, or could not be opened, hold no place.
    for (let i = 0; i < 2; i++) expect((await ask()).status).toBe(200);
    for (let i = 0; i < 2; i++) expect((await read({ stream: true }, 'resp_unknown')).status).toBe(404);
    expect((await read({ stream: true })).status).toBe(200);
    for (const free of places) free();
  });
});

describe('503', () => {
  it('discards a response whose stream cannot be opened: its client does not know it', async () => {
    play = async function* () {
      yield* [];
      throw new AppError('SERVICE_UNAVAILABLE', 'not now', { retryable: true });
    };
    expect((await ask()).status).toBe(503);
    expect(events).toEqual(['queued a stream', 'discarded']);
  });
});
