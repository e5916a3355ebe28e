import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import request from 'supertest';
import { peer, type RouteTest, startRouteTest } from '../../../testing/route-test.js';
import { projectRouter } from '../projects/index.js';
import { tierRouter } from './index.js';

let harness: RouteTest;
/** The markups that the ledger received. */
const markups: (number | undefined)[] = [];

beforeAll(async () => {
  const billing = peer(BillingService, {
    createTier: (req) => {
      markups.push(req.markupPercentage);
      return {};
    },
    updateTier: (req) => {
      markups.push(req.values?.markupPercentage);
      return {};
    },
  });
  harness = await startRouteTest(import.meta.url, [projectRouter, tierRouter], [billing]);
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
  await send('put', '/tiers/7b0f2c36-52a1-4a0e-8d43-3c0f8a4d9e11', { models: tier.models });
  expect(markups).toEqual([0, 12.5, 12.5]);
});
