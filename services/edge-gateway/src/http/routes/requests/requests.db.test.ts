import { randomUUID } from 'node:crypto';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { projectUsageSchema, requestListResponse, requestResponse } from '@tollgate/api/reports';
import { HoldService } from '@tollgate/contracts/billing/v1/holds_pb.js';
import { AppError } from '@tollgate/errors';
import request from 'supertest';
import type { RequestEntry } from '../../../domain/reports/request-entry.js';
import { recordRequests } from '../../../operations/record-requests.js';
import { requestEntry } from '../../../testing/request-entries.js';
import { peer, type RouteTest, startRouteTest } from '../../../testing/route-test.js';
import { requestRouter } from './index.js';

const HOUR_MS = 3_600_000;
const customerId = randomUUID();
const keyId = randomUUID();
const env = { LIVE_VIEW_DURATION: '50ms' };

let harness: RouteTest;
/** Newest first. */
let entries: RequestEntry[];
let foreign: RequestEntry;
/** The newest, with everything that the view of a single request shows. */
let served: RequestEntry;

const DETAIL = {
  traceId: '0af7651916cd43dd8448eb211c80319c',
  detail: {
    admissionMs: 3,
    attempts: [
      { provider: 'xai', model: 'a', outcome: 'failed', durationMs: 7, failure: 'response', status: 503 },
      { provider: 'sandbox', model: 'b', outcome: 'answered', durationMs: 80 },
    ],
  },
};
const openedAt = new Date('2026-11-23T04:00:00.000Z');
const HOLD = {
  state: 'posted',
  openedAt: timestampFromDate(openedAt),
  expiresAt: timestampFromDate(openedAt),
  endedAt: timestampFromDate(openedAt),
  limits: [
    { limit: 'allowance', total: 1_000n, available: 900n, held: 400n, charged: 300n },
    { limit: 'wallet', held: 0n },
    { limit: 'owner', available: 5_000n, held: 250n, charged: 200n },
    { limit: 'quota', total: 10n, available: 9n, held: 1n, charged: 1n },
  ],
  customerPrice: { inputPerMillionCents: 100n, outputPerMillionCents: 300n },
  providerPrice: { inputPerMillionCents: 90n, outputPerMillionCents: 270n },
  inputTokens: 10n,
  outputTokens: 90n,
};

beforeAll(async () => {
  const holds = peer(HoldService, {
    readHold: ({ holdId }) => {
      if (holdId !== served.id) throw new AppError('NOT_FOUND', 'hold not found');
      return HOLD;
    },
  });
  harness = await startRouteTest(import.meta.url, [requestRouter], [holds], { env });
  const { projectId } = harness.tenant;
  const noon = Math.floor(Date.now() / 86_400_000) * 86_400_000 - 12 * HOUR_MS;
  const before = (hours: number, entry: Partial<RequestEntry> = {}) =>
    requestEntry({ projectId, at: new Date(noon - hours * HOUR_MS), ...entry });
  entries = [
    before(0, { customerId, keyId, tierCode: 'pro', clientRequestId: 'mine', durationMs: 400n, firstOutputMs: 90n }),
    before(1, { status: 'refused', errorCode: 'WALLET_EMPTY', httpStatus: 402, customerId, costMicrocents: 0n }),
    before(1, { status: 'failed', errorCode: 'PROVIDER_ERROR', model: 'sandbox/other', provider: null }),
    before(30),
    before(31, {
      status: 'unreported',
      durationMs: null,
      httpStatus: null,
      costMicrocents: 5_000n,
      unreconciledMicrocents: 1n,
    }),
  ];
  entries.sort((a, b) => b.at.getTime() - a.at.getTime() || (a.id < b.id ? 1 : -1));
  foreign = requestEntry({ projectId: harness.stranger.projectId, at: new Date(noon) });
  served = { ...entries[0]!, ...DETAIL };
  entries[0] = served;
  await recordRequests(harness.ctx, { settled: [...entries, foreign] });
});
afterAll(() => harness.stop());

const get = (path: string, token = harness.tenant.ownerToken, projectId = harness.tenant.projectId) =>
  request(harness.app).get(`/api/v1/projects/${projectId}${path}`).set('Authorization', `Bearer ${token}`);

async function list(query = '', token?: string) {
  const { status, body } = await get(`/requests${query}`, token);
  expect([status, body.message]).toEqual([200, undefined]);
  return requestListResponse.parse(body);
}

const ids = (requests: readonly { id: string }[]) => requests.map(({ id }) => id);

describe('GET /projects/{id}/requests', () => {
  it.each(['ownerToken', 'secretKey'] as const)(
    'lists the requests of the project, newest first, by %s',
    async (kind) => {
      expect(ids((await list('', harness.tenant[kind])).requests)).toEqual(ids(entries));
    },
  );

  it('continues after the last row of a page, also between rows of one moment', async () => {
    const found: string[] = [];
    for (let query = '?limit=1'; query !== ''; ) {
      const page = await list(query);
      found.push(...ids(page.requests));
      query = page.next_cursor === undefined ? '' : `?limit=1&cursor=${page.next_cursor}`;
    }
    expect(found).toEqual(ids(entries));
  });

  it.each([
    ['status=refused', (one: RequestEntry) => one.status === 'refused'],
    ['status=unreported', (one: RequestEntry) => one.status === 'unreported'],
    ['model=sandbox/other', (one: RequestEntry) => one.model === 'sandbox/other'],
    [`customer_id=${customerId.toUpperCase()}`, (one: RequestEntry) => one.customerId === customerId],
    [`key_id=${keyId}`, (one: RequestEntry) => one.keyId === keyId],
    ['tier_code=pro', (one: RequestEntry) => one.tierCode === 'pro'],
    ['error_code=WALLET_EMPTY', (one: RequestEntry) => one.errorCode === 'WALLET_EMPTY'],
    ['request_id=mine', (one: RequestEntry) => one.clientRequestId === 'mine'],
    ['min_duration_ms=200', (one: RequestEntry) => Number(one.durationMs) >= 200],
    ['uncharged=true', (one: RequestEntry) => one.unreconciledMicrocents > 0n],
    ['min_cost_microcents=4000', (one: RequestEntry) => one.costMicrocents >= 4000n],
  ])('filters by %s', async (query, isWanted) => {
    const wanted = entries.filter(isWanted);
    expect(wanted.length).toBeGreaterThan(0);
    expect(ids((await list(`?${query}`)).requests)).toEqual(ids(wanted));
  });

  it('limits the list to a range of time', async () => {
    const [newest] = entries as [RequestEntry];
    expect(ids((await list(`?from=${newest.at.toISOString()}`)).requests)).toEqual([newest.id]);
    expect(ids((await list(`?to=${newest.at.toISOString()}`)).requests)).toEqual(ids(entries.slice(1)));
  });

  it.each([
    ['cursor=bogus', 'cursor'],
    ['cursor=%20', 'cursor'],
    ['from=2026-01-01&to=2026-01-01', 'from'],
    ['from=2020-01-01', 'from'],
    ['limit=201', 'limit'],
    ['customer_id=x', 'customer_id'],
    ['unknown=1', 'unknown'],
  ])('rejects %s', async (query, field) => {
    const { status, body } = await get(`/requests?${query}`);
    expect([status, body.fields[0].field]).toEqual([400, field]);
  });
});

describe('GET /projects/{id}/requests/{request_id}', () => {
  it('returns a request of the project and omits what is unknown', async () => {
    const last = entries.at(-1) as RequestEntry;
    const { status, body } = await get(`/requests/${last.id.toUpperCase()}`);
    expect(status).toBe(200);
    const { request: shown } = requestResponse.parse(body);
    expect(shown).toMatchObject({ id: last.id, request_id: last.id, status: 'unreported', cost_microcents: 5_000 });
    expect(shown).not.toHaveProperty('duration_ms');
    expect(shown).not.toHaveProperty('customer_id');
  });

  it('shows the limits, the hold, the prices, the routes and the trace of a request', async () => {
    const { body } = await get(`/requests/${served.id}`);
    const { request: shown } = requestResponse.parse(body);
    expect(shown).toMatchObject({ trace_id: DETAIL.traceId, admission_ms: 3 });
    expect(shown.attempts).toEqual([
      { provider: 'xai', model: 'a', outcome: 'failed', duration_ms: 7, failure: 'response', http_status: 503 },
      { provider: 'sandbox', model: 'b', outcome: 'answered', duration_ms: 80 },
    ]);
    const money = { unit: 'microcents', verdict: 'allowed' };
    expect(shown.admission).toEqual({
      verdict: 'allowed',
      limits: [
        {
          ...money,
          limit: 'allowance',
          total: 1_000,
          used_before: 100,
          available_before: 900,
          held: 400,
          charged: 300,
        },
        { ...money, limit: 'wallet', held: 0, charged: 0, verdict: 'not_needed' },
        { ...money, limit: 'owner', available_before: 5_000, held: 250, charged: 200 },
        {
          ...money,
          unit: 'units',
          limit: 'quota',
          total: 10,
          used_before: 1,
          available_before: 9,
          held: 1,
          charged: 1,
        },
      ],
    });
    expect(shown.hold).toMatchObject({
      state: 'posted',
      opened_at: openedAt.toISOString(),
      held_for: { input_tokens: 10, output_tokens: 90, images: 0 },
      customer_held_microcents: 400,
      customer_charged_microcents: 300,
      owner_held_microcents: 250,
      owner_charged_microcents: 200,
    });
    expect(shown.prices).toMatchObject({
      currency: 'usd',
      customer: { input_per_million_cents: 100, output_per_million_cents: 300 },
      owner: { input_per_million_cents: 90, output_per_million_cents: 270 },
    });
  });

  it('names the limits of a refused request, which has no hold', async () => {
    const refused = requestEntry({
      projectId: harness.tenant.projectId,
      status: 'refused',
      detail: {
        limits: [
          { limit: 'wallet', available: '900', required: '400', hasRefused: false },
          { limit: 'owner', available: '-5', required: '300', hasRefused: true },
        ],
      },
    });
    await recordRequests(harness.ctx, { settled: [refused] });
    const { body } = await get(`/requests/${refused.id}`);
    const { request: shown } = requestResponse.parse(body);
    expect(shown).not.toHaveProperty('hold');
    expect(shown.admission).toEqual({
      verdict: 'refused',
      limits: [
        { limit: 'wallet', unit: 'microcents', available_before: 900, required: 400, verdict: 'allowed' },
        { limit: 'owner', unit: 'microcents', available_before: -5, required: 300, verdict: 'refused' },
      ],
    });
    await harness.ctx.pool.query('DELETE FROM requests WHERE id = $1', [refused.id]);
  });

  it.each([['x'], [randomUUID()]])('answers 404 for %s', async (id) => {
    expect((await get(`/requests/${id}`)).status).toBe(404);
  });

  it("answers 404 for another project's request, and in another account's project", async () => {
    expect((await get(`/requests/${foreign.id}`)).status).toBe(404);
    const { projectId } = harness.stranger;
    for (const path of ['/requests', `/requests/${foreign.id}`, '/requests/live', '/usage'])
      expect([path, (await get(path, harness.tenant.ownerToken, projectId)).status]).toEqual([path, 404]);
  });
});

describe('GET /projects/{id}/usage', () => {
  async function usage(query = '') {
    const { status, body } = await get(`/usage${query}`);
    expect([status, body.message]).toEqual([200, undefined]);
    return projectUsageSchema.parse(body);
  }

  it('adds up the days and the whole range', async () => {
    const { usage: days, totals, has_more } = await usage();
    expect(days.map(({ requests }) => requests)).toEqual([2, 3]);
    expect(totals).toMatchObject({ requests: 5, succeeded: 2, failed: 1, refused: 1, unreported: 1, input_tokens: 50 });
    expect(totals).toMatchObject({ revenue_microcents: 1_500, cost_microcents: 5_600, margin_microcents: -4_100 });
    expect(totals).toMatchObject({ duration_p50_ms: 100, duration_p99_ms: 401, first_output_p95_ms: 90 });
    expect(has_more).toBe(false);
  });

  it('groups by model within each hour, the largest group first, and marks a cut list', async () => {
    const { usage: rows } = await usage('?interval=hour&group_by=model');
    expect(rows.map(({ group, requests }) => [group, requests])).toEqual([
      ['sandbox/echo-1', 1],
      ['sandbox/echo-1', 1],
      ['sandbox/echo-1', 1],
      ['sandbox/other', 1],
      ['sandbox/echo-1', 1],
    ]);
    expect(rows[0]?.start).toBe(entries.at(-1)?.at.toISOString());
    const cut = await usage('?interval=hour&group_by=model&limit=1');
    expect([cut.usage.length, cut.has_more]).toEqual([1, true]);
  });

  it.each([
    [
      'customer',
      [
        ['none', 3],
        [customerId, 2],
      ],
    ],
    [
      'key',
      [
        ['none', 4],
        [keyId, 1],
      ],
    ],
    [
      'tier',
      [
        ['none', 4],
        ['pro', 1],
      ],
    ],
    [
      'status',
      [
        ['succeeded', 2],
        ['failed', 1],
        ['refused', 1],
        ['unreported', 1],
      ],
    ],
  ])('adds up the range by %s', async (group, expected) => {
    const { usage: rows } = await usage(`?interval=total&group_by=${group}`);
    expect(rows.map((row) => [row.group, row.requests])).toEqual(expected);
    expect(rows[0]).not.toHaveProperty('start');
  });

  it('returns zeros for a project without requests', async () => {
    const { usage: rows, totals } = await usage('?to=2020-01-01');
    expect([rows, totals.requests, totals.duration_p50_ms]).toEqual([[], 0, undefined]);
  });

  it('rejects hours over more than eight days', async () => {
    expect((await get('/usage?interval=hour&from=2026-01-01&to=2026-01-10')).status).toBe(400);
  });
});

describe('GET /projects/{id}/requests/live', () => {
  it.each([
    ['text/event-stream', /^id: \S+\ndata: \{.*\}\n\n$/],
    ['application/x-ndjson', /^\{.*\}\n$/],
  ])('streams the requests of the last minute as %s', async (type, form) => {
    const { projectId } = harness.tenant;
    for (const wait of ['false', 'true']) {
      const recent = requestEntry({ projectId, model: `m-${randomUUID()}` });
      await recordRequests(harness.ctx, { settled: [recent] });
      const { status, text, headers, body } = await get(`/requests/live?model=${recent.model}&wait=${wait}`)
        .set('Accept', type)
        .buffer(true)
        .parse((res, done) => {
          let received = '';
          res.setEncoding('utf8');
          res.on('data', (piece) => (received += piece));
          res.on('end', () => done(null, received));
        });
      expect([status, headers['content-type']]).toEqual([200, expect.stringContaining(type)]);
      expect(text ?? body).toMatch(form);
      expect(text ?? body).toContain(recent.id);
    }
  });

  it('answers 503 while the account has too many views open', async () => {
    const { accountId } = (await harness.ctx.directory.project(harness.tenant.projectId))!;
    const closers = Array.from({ length: 10 }, () => harness.ctx.liveViews.open(accountId));
    expect((await get('/requests/live')).status).toBe(503);
    for (const close of closers) close();
    expect((await get('/requests/live')).status).toBe(200);
  });
});
