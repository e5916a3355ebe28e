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

  async function untilEnded(holdId: string): Promise<void> {
    const open = `SELECT 1 FROM holds WHERE request_id = $1 AND state = ${HOLD_STATES.open}`;
    const isEnded = async () => (await harness.database.pool.query(open, [holdId])).rowCount === 0;
    await waitUntil(isEnded, { what: `the end of hold ${holdId}` });
  }
});
