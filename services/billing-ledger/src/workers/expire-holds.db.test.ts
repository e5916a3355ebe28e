import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SettleOutcome } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { waitUntil } from '@tollgate/testkit';
import { HOLD_STATES } from '../domain/hold.js';
import {
  admit,
  type BillingClient,
  callAs,
  fundOwner,
  HELD,
  type LedgerHarness,
  ownerPrincipal,
  settle,
  startLedgerHarness,
} from '../testing/ledger-harness.js';

let harness: LedgerHarness;
let billing: BillingClient;

beforeAll(async () => {
  harness = await startLedgerHarness('expire-holds', { env: { HOLD_TTL: '60s' } });
  billing = harness.billing;
});
afterAll(() => harness.stop());

describe('expiry', () => {
  it('gives a forgotten hold a verdict, frees the funds and records the doubt', async () => {
    const owner = ownerPrincipal();
    await fundOwner(billing, owner, HELD);
    const hasty = await harness.replica({ HOLD_TTL: '100ms' });
    const { holdId, decision } = await admit(hasty, owner);
    expect(decision.case).toBe('admitted');
    await untilEnded(holdId);
    const verdict = await billing.verifyLedger({}, callAs(owner));
    expect(verdict).toMatchObject({ differences: [], openHolds: 0n, unreconciledMicrocents: HELD });
    expect((await billing.getAccountBalance({}, callAs(owner))).reservedMicrocents).toBe(0n);
  });

  it('charges what progress proved', async () => {
    const owner = ownerPrincipal();
    await fundOwner(billing, owner, HELD);
    const hasty = await harness.replica({ HOLD_TTL: '150ms' });
    const { holdId } = await admit(hasty, owner);
    expect(
      (await hasty.recordProgress({ holdId, usage: { inputTokens: 10n, outputTokens: 5n } }, callAs(owner))).open,
    ).toBe(true);
    await untilEnded(holdId);
    const verdict = await billing.verifyLedger({}, callAs(owner));
    expect(verdict).toMatchObject({ differences: [], openHolds: 0n, unreconciledMicrocents: HELD - 2_500n });
    expect((await billing.getAccountBalance({}, callAs(owner))).balanceMicrocents).toBe(HELD - 2_500n);
  });

  it('accepts one late report and takes the doubt back', async () => {
    const owner = ownerPrincipal();
    await fundOwner(billing, owner, HELD);
    const hasty = await harness.replica({ HOLD_TTL: '100ms' });
    const { holdId } = await admit(hasty, owner);
    await untilEnded(holdId);
    const results = await Promise.all([1, 2, 3].map(() => settle(billing, owner, holdId, 10n, 10n)));
    expect(results.map((r) => r.outcome).sort()).toEqual(
      [SettleOutcome.DUPLICATE, SettleOutcome.DUPLICATE, SettleOutcome.LATE].sort(),
    );
    expect(await billing.verifyLedger({}, callAs(owner))).toMatchObject({
      differences: [],
      openHolds: 0n,
      unreconciledMicrocents: 0n,
    });
    expect((await billing.getAccountBalance({}, callAs(owner))).balanceMicrocents).toBe(HELD - 4_000n);
  });

  it('ends the holds of other owners while an owner’s rows are locked, and that owner’s afterwards', async () => {
    const [stuck, free] = [ownerPrincipal(), ownerPrincipal()];
    const hasty = await harness.replica({ HOLD_TTL: '1s' });
    for (const owner of [stuck, free]) await fundOwner(billing, owner, 300n * HELD);
    const stuckHolds: string[] = [];
    for (let i = 0; i < 5; i += 1) stuckHolds.push((await admit(hasty, stuck)).holdId);
    const lock = await harness.database.pool.connect();
    try {
      await lock.query('BEGIN');
      await lock.query(`SELECT 1 FROM accounts WHERE owner_account_id = $1 FOR UPDATE`, [stuck.accountId]);
      await harness.database.pool.query(
        `UPDATE holds SET expires_at = now() - interval '1 min' WHERE owner_account_id = $1`,
        [stuck.accountId],
      );
      const { holdId } = await admit(hasty, free);
      await untilEnded(holdId);
      const { rows } = await lock.query(
        'SELECT count(*)::int AS open FROM holds WHERE owner_account_id = $1 AND state = 0',
        [stuck.accountId],
      );
      expect(rows).toEqual([{ open: 5 }]);
    } finally {
      await lock.query('ROLLBACK');
      lock.release();
    }
    for (const holdId of stuckHolds) await untilEnded(holdId);
    expect(await billing.verifyLedger({}, callAs(stuck))).toMatchObject({ differences: [], openHolds: 0n });
  });

  async function untilEnded(holdId: string): Promise<void> {
    const open = `SELECT 1 FROM holds WHERE request_id = $1 AND state = ${HOLD_STATES.open}`;
    const isEnded = async () => (await harness.database.pool.query(open, [holdId])).rowCount === 0;
    await waitUntil(isEnded, { what: `the end of hold ${holdId}` });
  }
});
