import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { PaymentService } from '@tollgate/contracts/billing/v1/payments_pb.js';
import request from 'supertest';
import { listAuditEvents } from '../../../store/audit-events.js';
import { peer, type RouteTest, startRouteTest } from '../../../testing/route-test.js';
import { projectRouter } from '../projects/index.js';
import { tierRouter } from './index.js';

const PRO_ID = '7b0f2c36-52a1-4a0e-8d43-3c0f8a4d9e11';

let harness: RouteTest;
/** The markups and update masks that the ledger received. */
const markups: (number | undefined)[] = [];
const masks: string[][] = [];

function proTier(priceAmountCents: bigint | undefined) {
  const times = { createdAt: timestampFromMs(0), updatedAt: timestampFromMs(0) };
  const models = [{ id: PRO_ID, modelId: 'm', inputPricePerMillionCents: (priceAmountCents ?? 0n) / 10n, ...times }];
  const shown = { displayName: 'Pro', visibility: 'portal', ...times };
  return { ...shown, id: PRO_ID, tierCode: 'pro', billingMode: 'subscription', priceAmountCents, models };
}

beforeAll(async () => {
  const billing = peer(BillingService, {
    createTier: (req) => {
      markups.push(req.markupPercentage);
      return {};
    },
    getTier: () => ({ tier: proTier(2_000n) }),
    updateTier: (req) => {
      markups.push(req.values?.markupPercentage);
      masks.push([...req.updateMask]);
      return { tier: proTier(req.values?.priceAmountCents) };
    },
  });
  const payments = peer(PaymentService, { migrateTierPrice: () => ({ currency: 'usd', interval: 'month' }) });
  harness = await startRouteTest(import.meta.url, [projectRouter, tierRouter], [billing, payments]);
});
afterAll(() => harness.stop());

it('passes the project’s current markup when tiers are created and updated', async () => {
  const send = (method: 'post' | 'put', path: string, body: object) =>
    request(harness.app)
      [method](`/api/v1/projects/${harness.tenant.projectId}${path}`)
      .set('Authorization', `Bearer ${harness.tenant.ownerToken}`)
      .send(body);
  const tier = { tier_code: 'pro', display_name: 'Pro', models: [{ model_id: 'm' }] };
  await send('post', '/tiers', tier);
  await send('put', '', { markup_percentage: 12.5 });
  await send('post', '/tiers', tier);
  await send('put', `/tiers/${PRO_ID}`, { models: tier.models });
  expect(markups).toEqual([0, 12.5, 12.5]);
});

it.each<[string, 'post' | 'put', string, object]>([
  ['price_cents', 'post', '/tiers', { tier_code: 'pro', display_name: 'Pro', models: [], price_cents: 9_900 }],
  ['price', 'post', '/tiers', { tier_code: 'pro', display_name: 'Pro', models: [{ model_id: 'm', price: 1 }] }],
  ['price_cents', 'put', `/tiers/${PRO_ID}`, { price_cents: 9_900 }],
  ['dry_run', 'post', `/tiers/${PRO_ID}/migrate-price`, { dry_run: true }],
])('rejects the unknown member %s of a %s to %s before the ledger is called', async (named, method, path, body) => {
  const before = markups.length;
  const res = await request(harness.app)
    [method](`/api/v1/projects/${harness.tenant.projectId}${path}`)
    .set('Authorization', `Bearer ${harness.tenant.ownerToken}`)
    .send(body);
  expect([res.status, res.body.message]).toEqual([400, expect.stringContaining(named)]);
  expect(markups).toHaveLength(before);
});

it('accepts a tier as it was read', async () => {
  const put = (body: object) =>
    request(harness.app)
      .put(`/api/v1/projects/${harness.tenant.projectId}/tiers/${PRO_ID}`)
      .set('Authorization', `Bearer ${harness.tenant.ownerToken}`)
      .send(body);
  const { tier } = (await put({ price_amount_cents: 2_500 })).body;
  expect(tier.models[0]).toMatchObject({ id: expect.any(String), created_at: expect.any(String) });
  const res = await put(tier);
  expect([res.status, res.body.message]).toEqual([200, undefined]);
  expect(masks.at(-1)).not.toContain('created_at');
});

it('records a changed tier with the values before and after, and no preview of a migration', async () => {
  const send = (method: 'put' | 'post', path: string, body: object) =>
    request(harness.app)
      [method](`/api/v1/projects/${harness.tenant.projectId}/tiers/${PRO_ID}${path}`)
      .set('Authorization', `Bearer ${harness.tenant.ownerToken}`)
      .send(body);
  expect((await send('put', '', { price_amount_cents: 2_500 })).status).toBe(200);
  expect((await send('post', '/migrate-price', { preview: true })).status).toBe(200);
  expect((await send('post', '/migrate-price', {})).status).toBe(200);
  const { accountId = '' } = (await harness.ctx.directory.project(harness.tenant.projectId)) ?? {};
  const events = await listAuditEvents(harness.ctx.pool, accountId, { limit: 2, offset: 0 });
  expect(events).toMatchObject([
    { action: 'tier.price_migrated', subjectId: PRO_ID, changes: [] },
    {
      action: 'tier.updated',
      subjectId: PRO_ID,
      changes: [
        { field: 'price_amount_cents', before: '2000', after: '2500' },
        { field: 'models.m.input_price_per_million_cents', before: '200', after: '250' },
      ],
    },
  ]);
});
