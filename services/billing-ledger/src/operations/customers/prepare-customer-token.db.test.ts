import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { waitUntil } from '@tollgate/testkit';
import { callAs, ECHO, type LedgerBench, ownerPrincipal, startLedgerBench } from '../../testing/ledger-harness.js';

let bench: LedgerBench;
beforeAll(async () => {
  bench = await startLedgerBench('prepare_customer_token');
});
afterAll(() => bench.stop());

it('answers 404 NOT_FOUND when the tier is deleted while a token is minted for it', async () => {
  const owner = ownerPrincipal();
  const models = [{ modelId: ECHO }];
  await bench.billing.createTier({ tierCode: 'short-lived', displayName: 'x', models }, callAs(owner));
  const values = { externalId: randomUUID(), email: 'someone@example.com' };
  const { envelope } = await bench.billing.createCustomer(values, callAs(owner));
  const deletion = await bench.database.pool.connect();
  try {
    await deletion.query('BEGIN');
    await deletion.query(`DELETE FROM tiers WHERE tier_code = 'short-lived'`);
    const minting = bench.billing.prepareCustomerToken(
      { by: { case: 'customerId', value: envelope?.customer?.id ?? '' }, tierCode: 'short-lived' },
      callAs(owner),
    );
    minting.catch(() => undefined);
    await waitUntil(
      async () => {
        const { rows } = await bench.database.pool.query(
          `SELECT 1 FROM pg_stat_activity WHERE cardinality(pg_blocking_pids(pid)) > 0 AND query ~ 'tiers|subscriptions'`,
        );
        return rows.length > 0;
      },
      { what: 'the minting to reach the tier', timeoutMs: 20_000 },
    );
    await deletion.query('COMMIT');
    await expect(minting).rejects.toMatchObject({ code: 'NOT_FOUND', status: 404, message: 'tier not found' });
  } finally {
    deletion.release();
  }
});
