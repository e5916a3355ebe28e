import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { BalanceEntry } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { PAID, PAID_BACK } from '../../store/subjects/subjects.js';
import {
  type BillingClient,
  callAs,
  customerOn,
  ECHO,
  fundOwner,
  fundWallet,
  type LedgerHarness,
  ownerPrincipal,
  startLedgerHarness,
} from '../../testing/ledger-harness.js';

let harness: LedgerHarness;
let billing: BillingClient;

beforeAll(async () => {
  harness = await startLedgerHarness('balance_history');
  billing = harness.billing;
});
afterAll(() => harness.stop());

/** Books two credits, five charges of 1 to 5 tokens, and another credit. Returns the balance after each. */
const LEFT = [10_000n, 15_000n, 14_900n, 14_700n, 14_400n, 14_000n, 13_500n, 20_500n];

async function usedWallet() {
  const owner = ownerPrincipal();
  await fundOwner(billing, owner, 1_000_000n);
  const { id, principal } = await customerOn(billing, owner, { tierCode: 'paygo', billingMode: 'paygo' });
  await fundWallet(billing, owner, id, 10_000n);
  await fundWallet(billing, owner, id, 5_000n);
  for (let tokens = 1n; tokens <= 5n; tokens += 1n) {
    const holdId = randomUUID();
    const ask = { holdId, model: ECHO, inputTokensEstimate: tokens, maxOutputTokens: 0 };
    await billing.admit(ask, callAs(principal));
    await billing.settle({ holdId, usage: { inputTokens: tokens } }, callAs(principal));
  }
  await fundWallet(billing, owner, id, 7_000n);
  return { owner, id };
}

it.each([1, 2, 3, 7, 8, 200])(
  'lists in pages of %i every entry with the balance that it left, newest first',
  async (limit) => {
    const { owner, id } = await usedWallet();
    const entries: BalanceEntry[] = [];
    for (let hasMore = true; hasMore; ) {
      const page = await billing.listBalanceHistory({ customerId: id, limit, offset: entries.length }, callAs(owner));
      entries.push(...page.entries);
      hasMore = page.hasMore;
      expect(page.entries.length).toBeLessThanOrEqual(limit);
    }
    expect(entries.map((entry) => entry.balanceAfterMicrocents).reverse()).toEqual(LEFT);
    const charges = entries.filter(({ direction }) => direction === 'debit');
    expect(charges).toMatchObject([5n, 4n, 3n, 2n, 1n].map((inputTokens) => ({ inputTokens, modelId: ECHO })));
  },
);

it('returns an empty page for a wallet without entries and after the last entry', async () => {
  const owner = ownerPrincipal();
  const { id } = await customerOn(billing, owner, { tierCode: 'paygo', billingMode: 'paygo' });
  const page = (offset: number) => billing.listBalanceHistory({ customerId: id, limit: 10, offset }, callAs(owner));
  expect(await page(0)).toMatchObject({ entries: [], hasMore: false });
  await fundWallet(billing, owner, id, 1n);
  expect(await page(1)).toMatchObject({ entries: [], hasMore: false });
});

it('reads whether an account has paid from indexes, without reading its requests', async () => {
  const client = await harness.database.pool.connect();
  try {
    await client.query('SET enable_seqscan = off');
    const plan = async (kinds: string, side: string) =>
      JSON.stringify(
        (
          await client.query(
            `EXPLAIN (FORMAT JSON) SELECT sum(amount) FROM transfers WHERE ${side} = 1001 AND ${kinds}`,
          )
        ).rows,
      );
    expect(await plan(PAID, 'credit_account')).toContain('transfers_paid_idx');
    expect(await plan(PAID_BACK, 'debit_account')).toContain('transfers_paid_back_idx');
  } finally {
    client.release(true);
  }
});
