import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { accountUsageSchema } from '@tollgate/api/identity';
import { BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import request from 'supertest';
import { peer, type RouteTest, startRouteTest } from '../../../testing/route-test.js';
import { accountRouter } from './index.js';

let harness: RouteTest;
beforeAll(async () => {
  const usage = {
    overrunMicrocents: 1n,
    unreconciledMicrocents: 2n,
    forfeitedMicrocents: 3n,
    writtenOffMicrocents: 4n,
  };
  harness = await startRouteTest(
    import.meta.url,
    [accountRouter],
    [peer(BillingService, { getAccountUsage: () => usage })],
  );
});
afterAll(() => harness.stop());

it('shows the amounts that deleted customers forfeited', async () => {
  const credential = `Bearer ${harness.tenant.ownerToken}`;
  const { status, body } = await request(harness.app).get('/api/v1/account/usage').set('Authorization', credential);
  expect(status).toBe(200);
  expect(accountUsageSchema.parse(body)).toMatchObject({
    overrun_microcents: 1,
    unreconciled_microcents: 2,
    forfeited_microcents: 3,
    written_off_microcents: 4,
  });
});
