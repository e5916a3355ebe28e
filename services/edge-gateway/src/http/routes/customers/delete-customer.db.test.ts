import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { BillingService, type DeleteCustomerRequest } from '@tollgate/contracts/billing/v1/billing_pb.js';
import request from 'supertest';
import { peer, type RouteTest, startRouteTest } from '../../../testing/route-test.js';
import { customerRouter } from './index.js';

const ID = '7b0f2c36-52a1-4a0e-8d43-3c0f8a4d9e11';

let harness: RouteTest;
let asked: DeleteCustomerRequest[];

beforeAll(async () => {
  const billing = peer(BillingService, {
    deleteCustomer: (req) => {
      asked.push(req);
      return {};
    },
  });
  harness = await startRouteTest(import.meta.url, [customerRouter], [billing]);
});
beforeEach(() => {
  asked = [];
});
afterAll(() => harness.stop());

describe.each([
  ['DELETE /customers/{id}', () => [`/customers/${ID}`, harness.tenant.secretKey] as const],
  [
    'its dashboard twin',
    () => [`/projects/${harness.tenant.projectId}/customers/${ID}`, harness.tenant.ownerToken] as const,
  ],
])('%s', (_, ask) => {
  const send = (query: string) => {
    const [path, credential] = ask();
    return request(harness.app).delete(`/api/v1${path}${query}`).set('Authorization', `Bearer ${credential}`);
  };

  it.each([
    ['', false],
    ['?cancel_subscription=false', false],
    ['?cancel_subscription=true', true],
  ])('answers 204 with %j and cancels the subscription: %s', async (query, cancelSubscription) => {
    expect((await send(query)).status).toBe(204);
    expect(asked).toMatchObject([{ id: ID, cancelSubscription }]);
  });

  it('answers 400 for a value that is not a boolean, and deletes nothing', async () => {
    expect((await send('?cancel_subscription=perhaps')).status).toBe(400);
    expect(asked).toEqual([]);
  });
});
