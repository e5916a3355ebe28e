import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { statementSchema, statementsSchema } from '@tollgate/api/billing';
import { BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { AppError } from '@tollgate/errors';
import request from 'supertest';
import { peer, type RouteTest, startRouteTest } from '../../../testing/route-test.js';
import { statementRouter } from './index.js';

let harness: RouteTest;
let asked: object[];

beforeAll(async () => {
  const months = [
    { month: '2026-11', state: 'open' },
    { month: '2026-10', state: 'final' },
  ];
  const billing = peer(BillingService, {
    listStatements: ({ limit, beforeMonth }) => {
      asked.push({ limit, beforeMonth });
      return { months: months.slice(0, limit), hasMore: limit < months.length };
    },
    getStatement: ({ month }) => {
      asked.push({ month });
      if (month !== '2026-10') throw new AppError('NOT_FOUND', `the project has no statement of ${month}`);
      return {
        month: months[1],
        openingMicrocents: -5n,
        closingMicrocents: 12_345_678_901_234n,
        lines: [
          { kind: 'top_up', entries: 2n, amountMicrocents: 12_345_678_901_339n },
          { kind: 'charge', modelId: 'vendor/"a",b', entries: 7n, amountMicrocents: -100n },
        ],
      };
    },
  });
  harness = await startRouteTest(import.meta.url, [statementRouter], [billing]);
});
beforeEach(() => {
  asked = [];
});
afterAll(() => harness.stop());

const get = (path: string, { token = harness.tenant.ownerToken, accept = 'application/json', project = '' } = {}) =>
  request(harness.app)
    .get(`/api/v1/projects/${project || harness.tenant.projectId}/statements${path}`)
    .set('Authorization', `Bearer ${token}`)
    .set('Accept', accept);

it('lists months and continues behind the last one', async () => {
  for (const token of [harness.tenant.ownerToken, harness.tenant.secretKey]) {
    const { status, body } = await get('?limit=1', { token });
    const open = { from: '2026-11-01T00:00:00.000Z', to: '2026-12-01T00:00:00.000Z', state: 'open' };
    expect([status, statementsSchema.parse(body)]).toEqual([
      200,
      { statements: [{ month: '2026-11', ...open }], next_cursor: '2026-11' },
    ]);
  }
  expect((await get('?cursor=2026-11')).body.next_cursor).toBeUndefined();
  expect(asked).toContainEqual({ limit: 24, beforeMonth: '2026-11' });
});

it('shows a month as JSON', async () => {
  const { status, body } = await get('/2026-10');
  expect(status).toBe(200);
  expect(statementSchema.parse(body).statement).toMatchObject({
    project_id: harness.tenant.projectId,
    state: 'final',
    opening_balance_microcents: -5,
    closing_balance_microcents: 12_345_678_901_234,
    lines: [
      { kind: 'top_up', entries: 2, amount_microcents: 12_345_678_901_339 },
      { kind: 'charge', model: 'vendor/"a",b', entries: 7, amount_microcents: -100 },
    ],
  });
});

it.each([
  ['?format=csv', 'application/json'],
  ['', 'text/csv'],
])('sends a month as CSV for %s with Accept: %s', async (query, accept) => {
  const { headers, text } = await get(`/2026-10${query}`, { accept });
  expect(headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(headers['content-disposition']).toBe('attachment; filename="statement-2026-10.csv"');
  expect(headers.vary).toContain('Accept');
  expect(text.split('\r\n')).toEqual([
    'month,kind,model,entries,amount_microcents,amount_usd',
    '2026-10,opening_balance,,,-5,-0.00000005',
    '2026-10,top_up,,2,12345678901339,123456.78901339',
    '2026-10,charge,"vendor/""a"",b",7,-100,-0.000001',
    '2026-10,closing_balance,,,12345678901234,123456.78901234',
    '',
  ]);
});

describe('refusals', () => {
  it.each(['?cursor=x', '?cursor=2026-13', '?limit=0', '?offset=1', '/2026-1', '/2026-10?format=pdf'])(
    'rejects %s',
    async (path) => {
      expect((await get(path)).status).toBe(400);
      expect(asked).toEqual([]);
    },
  );

  it('answers 404 for a month without a statement', async () => {
    expect((await get('/2020-01')).status).toBe(404);
  });

  it("answers 404 in another account's project", async () => {
    for (const path of ['', '/2026-10'])
      expect((await get(path, { project: harness.stranger.projectId })).status).toBe(404);
    expect(asked).toEqual([]);
  });
});
