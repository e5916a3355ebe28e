import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import request from 'supertest';
import { peer, type RouteTest, startRouteTest } from '../../../testing/route-test.js';
import { claimCustomer } from './claim-customer.js';

const customer = { id: randomUUID(), externalId: 'u', email: 'a@example.com', metadataJson: '{"note":"vip"}' };
let harness: RouteTest;

beforeAll(async () => {
  const billing = peer(BillingService, { claimCustomer: () => ({ envelope: { customer } }) });
  harness = await startRouteTest(import.meta.url, [claimCustomer], [billing]);
});
afterAll(() => harness.stop());

const claim = (key: string) =>
  request(harness.app)
    .post('/api/v1/customers/claim')
    .set('Authorization', `Bearer ${key}`)
    .send({ email: 'a@example.com', provider: 'github', subject: '1' });

it('gives a publishable key the customer without its metadata, and a secret key all of it', async () => {
  const [open, secret] = [await claim(harness.tenant.publishableKey), await claim(harness.tenant.secretKey)];
  expect([open.status, open.body.customer.id]).toEqual([200, customer.id]);
  expect(open.body.customer).not.toHaveProperty('metadata');
  expect(secret.body.customer.metadata).toEqual({ note: 'vip' });
});
