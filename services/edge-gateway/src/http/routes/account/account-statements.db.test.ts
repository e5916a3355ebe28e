import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { accountStatementSchema, statementsSchema } from '@tollgate/api/billing';
import { BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { AppError } from '@tollgate/errors';
import request from 'supertest';
import { peer, type RouteTest, startRouteTest } from '../../../testing/route-test.js';
import { accountRouter } from './index.js';

const MONTHS = [
  { month: '2026-11', state: 'open' },
  { month: '2026-10', state: 'final' },
];

let harness: RouteTest;
let asked: object[];
let accountId: string;

beforeAll(async () => {
  const billing = peer(BillingService, {
    listAccountStatements: ({ limit, beforeMonth }, call) => {
      asked.push({ limit, beforeMonth, account: call.requirePrincipal().accountId });
      return { months: MONTHS.slice(0, limit), hasMore: limit < MONTHS.length };
    },
    getAccountStatement: ({ month }, call) => {
      asked.push({ month, account: call.requirePrincipal().accountId });
      if (month !== '2026-10') throw new AppError('NOT_FOUND', `the account has no statement of ${month}`);
      return {
        month: MONTHS[1]!,
        openingMicrocents: 5n,
        closingMicrocents: 5_000_000_000n,
        lines: [
          { kind: 'top_up', entries: 2n, amountMicrocents: 5_000_000_095n },
          { kind: 'charge', modelId: 'vendor/model', entries: 7n, amountMicrocents: -100n },
        ],
      };
    },
  });
  harness = await startRouteTest(import.meta.url, [accountRouter], [billing]);
  const { rows } = await harness.ctx.pool.query<{ id: string }>('SELECT account_id AS id FROM projects WHERE id = $1', [
    harness.tenant.projectId,
  ]);
  accountId = rows[0]!.id;
});
beforeEach(() => {
  asked = [];
});
afterAll(() => harness.stop());

const get = (path: string, { token = harness.tenant.ownerToken, accept = 'application/json' } = {}) =>
  request(harness.app)
    .get(`/api/v1/account/statements${path}`)
    .set('Authorization', `Bearer ${token}`)
    .set('Accept', accept);

it('lists months and continues after the last one', async () => {
  for (const token of [harness.tenant.ownerToken, harness.tenant.secretKey]) {
    const { status, body } = await get('?limit=1', { token });
    const open = { from: '2026-11-01T00:00:00.000Z', to: '2026-12-01T00:00:00.000Z', state: 'open' };
    const list = { statements: [{ month: '2026-11', ...open }], next_cursor: '2026-11' };
    expect([status, statementsSchema.parse(body)]).toEqual([200, list]);
  }
  expect((await get('?cursor=2026-11')).body.next_cursor).toBeUndefined();
  expect(asked).toContainEqual({ limit: 24, beforeMonth: '2026-11', account: accountId });
});

it('shows a month of the account as JSON and as CSV', async () => {
  const { status, body } = await get('/2026-10');
  expect(status).toBe(200);
  expect(accountStatementSchema.parse(body).statement).toMatchObject({
    account_id: accountId,
    opening_balance_microcents: 5,
    closing_balance_microcents: 5_000_000_000,
    lines: [
      { kind: 'top_up', entries: 2, amount_microcents: 5_000_000_095 },
      { kind: 'charge', model: 'vendor/model', entries: 7, amount_microcents: -100 },
    ],
  });
  for (const { text, headers } of [await get('/2026-10?format=csv'), await get('/2026-10', { accept: 'text/csv' })]) {
    expect(headers['content-disposition']).toBe('attachment; filename="statement-2026-10.csv"');
    expect(text.split('\r\n')).toEqual([
      'month,kind,model,entries,amount_microcents,amount_usd',
      '2026-10,opening_balance,,,5,0.00000005',
      '2026-10,top_up,,2,5000000095,50.00000095',
      '2026-10,charge,vendor/model,7,-100,-0.000001',
      '2026-10,closing_balance,,,5000000000,50',
      '',
    ]);
  }
  expect(asked[0]).toEqual({ month: '2026-10', account: accountId });
});

it.each(['?cursor=x', '?limit=0', '?offset=1', '/2026-1', '/2026-10?format=pdf'])('rejects %s', async (path) => {
  expect((await get(path)).status).toBe(400);
  expect(asked).toEqual([]);
});

it('answers 404 for a month without a statement, and refuses customers', async () => {
  expect((await get('/2020-01')).status).toBe(404);
  asked = [];
  for (const path of ['', '/2026-10'])
    expect((await get(path, { token: harness.tenant.customerToken })).status).toBe(403);
  expect(asked).toEqual([]);
});
