import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { waitUntil } from '@tollgate/testkit';
import { callAs, ECHO, type LedgerHarness, ownerPrincipal, startLedgerHarness } from '../../testing/ledger-harness.js';

let harness: LedgerHarness;
beforeAll(async () => {
  harness = await startLedgerHarness('prepare_customer_token');
});
afterAll(() => harness.stop());

it('answers 404 NOT_FOUND when the tier is deleted while a token is minted for it', async () => {
  const owner = ownerPrincipal();
  const models = [{ modelId: ECHO }];
  await harness.billing.createTier({ tierCode: 'short-lived', displayName: 'x', models }, callAs(owner));
  const values = { externalId: randomUUID(), email: 'someone@example.com' };
  const { envelope } = await harness.billing.createCustomer(values, callAs(owner));
  const deletion = await harness.database.pool.connect();
  try {
    await deletion.query('BEGIN');
    await deletion.query(`DELETE FROM tiers WHERE tier_code = 'short-lived'`);
    const minting = harness.billing.prepareCustomerToken(
      { by: { case: 'customerId', value: envelope?.customer?.id ?? '' }, tierCode: 'short-lived' },
      callAs(owner),
    );
    minting.catch(() => undefined);
    await waitUntil(() => harness.database.countLockWaits('tiers'), { what: 'the minting to reach the tier' });
    await deletion.query('COMMIT');
    await expect(minting).rejects.toMatchObject({ code: 'NOT_FOUND', status: 404, message: 'tier not found' });
  } finally {
    deletion.release();
  }
});
