import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type AdmitResponse, SettleOutcome } from '@tollgate/contracts/billing/v1/billing_pb.js';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { eventTypes } from '@tollgate/events';
import {
  type BillingClient,
  callAs,
  ECHO,
  fundOwner,
  type LedgerHarness,
  ownerPrincipal,
  startLedgerHarness,
} from '../../testing/ledger-harness.js';

/** Enough for the holds of all tests. */
const FUNDS = 1_000_000_000n;
const FACTS = { status: 499, success: false, errorCode: 'CANCELED' };

let ledger: LedgerHarness;
let other: BillingClient;
let owner: Principal;

beforeAll(async () => {
  ledger = await startLedgerHarness('release');
  other = await ledger.replica();
});
afterAll(() => ledger.stop());
beforeEach(async () => {
  owner = ownerPrincipal();
  await fundOwner(ledger.billing, owner, FUNDS);
});

const admit = (holdId: string): Promise<AdmitResponse> =>
  ledger.billing.admit({ holdId, model: ECHO, inputTokensEstimate: 10n, maxOutputTokens: 90 }, callAs(owner));
const release = (holdIds: string[], at = ledger.billing, facts: object | null = FACTS) =>
  at.release({ holdIds, ...(facts && { facts }) }, callAs(owner));
const settle = (holdId: string, usage: object) => ledger.billing.settle({ holdId, usage }, callAs(owner));

async function expectSpent(microcents: bigint): Promise<void> {
  const { balanceMicrocents } = await ledger.billing.getAccountBalance({}, callAs(owner));
  expect(balanceMicrocents).toBe(FUNDS - microcents);
  const verdict = await ledger.billing.verifyLedger({}, callAs(owner));
  expect(verdict).toMatchObject({ differences: [], openHolds: 0n });
}

describe('Release', () => {
  it('frees every hold that it names, on any replica, however often', async () => {
    const holdIds = [randomUUID(), randomUUID(), randomUUID()];
    for (const holdId of holdIds) await admit(holdId);
    await release([...holdIds, holdIds[0]!]);
    await release(holdIds, other);
    await expectSpent(0n);
    const recorded = await ledger.events(eventTypes.usageRecorded, owner.projectId);
    expect(recorded).toHaveLength(3);
    expect(recorded[0]).toMatchObject({ facts: FACTS, completesRequest: true });
  });

  it('frees a hold that another replica has admitted', async () => {
    const holdId = randomUUID();
    await admit(holdId);
    await release([holdId], other);
    await expectSpent(0n);
  });

  it('records the usage as zero and completes no request without facts', async () => {
    const holdId = randomUUID();
    await admit(holdId);
    await release([holdId], ledger.billing, null);
    const [recorded] = await ledger.events(eventTypes.usageRecorded, owner.projectId);
    expect(recorded).toMatchObject({ holdId, usage: { inputTokens: 0n, outputTokens: 0n }, completesRequest: false });
  });

  it('ends an unknown hold in advance', async () => {
    const holdId = randomUUID();
    await release([holdId]);
    await release([holdId], other);
    expect((await admit(holdId)).decision).toMatchObject({
      case: 'admitted',
      value: { hasEnded: true, wasReleased: true },
    });
    await expectSpent(0n);
  });

  it.each([
    ['the replica that admitted it', () => ledger.billing],
    ['another replica', () => other],
  ])('leaves a hold of another account as it is, on %s', async (_, at) => {
    const holdId = randomUUID();
    await admit(holdId);
    await at().release({ holdIds: [holdId], facts: FACTS }, callAs(ownerPrincipal()));
    const { outcome, ownerMicrocents } = await settle(holdId, { inputTokens: 10n, outputTokens: 10n });
    expect(outcome).toBe(SettleOutcome.POSTED);
    await expectSpent(ownerMicrocents);
  });

  it('leaves a posted hold as it is', async () => {
    const holdId = randomUUID();
    await admit(holdId);
    const { ownerMicrocents } = await settle(holdId, { inputTokens: 10n, outputTokens: 10n });
    expect(ownerMicrocents).not.toBe(0n);
    await release([holdId]);
    await expectSpent(ownerMicrocents);
  });

  it('makes a later settlement a duplicate without a charge', async () => {
    const holdId = randomUUID();
    await admit(holdId);
    await release([holdId]);
    expect(await settle(holdId, { inputTokens: 10n })).toMatchObject({ outcome: SettleOutcome.DUPLICATE });
    await expectSpent(0n);
  });

  it('has the effect of the older form, a settlement without usage', async () => {
    const [known, unknown] = [randomUUID(), randomUUID()];
    await admit(known);
    expect(await settle(known, {})).toMatchObject({ outcome: SettleOutcome.RELEASED });
    expect(await settle(unknown, {})).toMatchObject({ outcome: SettleOutcome.RELEASED });
    await release([known, unknown]);
    expect((await admit(unknown)).decision).toMatchObject({ value: { hasEnded: true, wasReleased: true } });
    await expectSpent(0n);
  });

  it('waits for an admission of the same hold that was sent before it', async () => {
    const holdId = randomUUID();
    const [{ decision }] = await Promise.all([admit(holdId), release([holdId])]);
    expect(decision.case).toBe('admitted');
    await expectSpent(0n);
  });

  it.each([
    ['an id that is not a UUID', ['x']],
    ['too many ids', Array.from({ length: 1_001 }, () => randomUUID())],
  ])('rejects %s', async (_, holdIds) => {
    await expect(release(holdIds)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});
