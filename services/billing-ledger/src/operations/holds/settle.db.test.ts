import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SettleOutcome } from '@tollgate/contracts/billing/v1/billing_pb.js';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import type { Usage } from '@tollgate/contracts/common/v1/usage_pb.js';
import { createEmbeddedTransport, decodeEvent, eventTypes, type ReceivedEvent } from '@tollgate/events';
import { silentLogger } from '@tollgate/runtime';
import { waitUntil } from '@tollgate/testkit';
import { HOLD_STATES } from '../../domain/hold.js';
import {
  admit,
  type BillingClient,
  callAs,
  customerOn,
  ECHO,
  fundOwner,
  fundWallet,
  HELD,
  type LedgerHarness,
  ownerPrincipal,
  settle,
  startLedgerHarness,
} from '../../testing/ledger-harness.js';

let harness: LedgerHarness;
let billing: BillingClient;

beforeAll(async () => {
  harness = await startLedgerHarness('settle', { env: { HOLD_TTL: '60s' } });
  billing = harness.billing;
});
afterAll(() => harness.stop());

async function expectConsistent(owner: Principal, open = 0n) {
  const verdict = await billing.verifyLedger({}, callAs(owner));
  expect(verdict.differences).toEqual([]);
  expect(verdict.openHolds).toBe(open);
}

/** Removes open holds and what they hold, as if the transactions of their admissions had been lost. */
async function forgetHolds(holdIds: readonly string[]): Promise<void> {
  await harness.database.pool.query(
    `WITH lost AS (DELETE FROM holds WHERE request_id = ANY($1::uuid[]) RETURNING account_ids, amounts),
       legs AS (SELECT leg.id, sum(leg.amount) AS amount FROM lost, unnest(account_ids, amounts) AS leg (id, amount) GROUP BY 1)
     UPDATE accounts a SET held = a.held - legs.amount FROM legs WHERE a.id = legs.id`,
    [holdIds],
  );
}

describe('settlement', () => {
  it('charges exactly what was served and returns the rest of the hold', async () => {
    const owner = ownerPrincipal();
    await fundOwner(billing, owner, 1_000_000n);
    const customer = await customerOn(billing, owner, { tierCode: 'paygo', billingMode: 'paygo' });
    await fundWallet(billing, owner, customer.id, 1_000_000n);
    const { holdId } = await admit(billing, customer.principal);
    const result = await settle(billing, customer.principal, holdId, 9n, 20n);
    expect(result).toMatchObject({ outcome: SettleOutcome.POSTED, customerMicrocents: 6_900n, overrunMicrocents: 0n });
    const balance = await billing.getCustomerBalance({ customerId: customer.id }, callAs(owner));
    expect(balance).toMatchObject({ balanceMicrocents: 993_100n, reservedMicrocents: 0n });
    const usage = await billing.getCustomerUsage({ customerId: customer.id }, callAs(owner));
    expect(usage).toMatchObject({ requests: 1n, tokens: 29n, totalCostMicrocents: 6_900n });
    await expectConsistent(owner);
  });

  it('charges once when a settlement is repeated on any replica', async () => {
    const owner = ownerPrincipal();
    await fundOwner(billing, owner, 1_000_000n);
    const { holdId } = await admit(billing, owner);
    const other = await harness.replica();
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, i) => settle(i % 2 ? other : billing, owner, holdId, 10n, 10n)),
    );
    expect(results.filter((r) => r.outcome === SettleOutcome.POSTED)).toHaveLength(1);
    expect(results.filter((r) => r.outcome === SettleOutcome.DUPLICATE)).toHaveLength(19);
    expect(new Set(results.map((r) => r.ownerMicrocents)).size).toBe(1);
    await expectConsistent(owner);
  });

  it('charges at most what was held and books the excess as overrun', async () => {
    const owner = ownerPrincipal();
    await fundOwner(billing, owner, 1_000_000_000n);
    const customer = await customerOn(billing, owner, { tierCode: 'paygo', billingMode: 'paygo' });
    await fundWallet(billing, owner, customer.id, HELD);
    const { holdId } = await admit(billing, customer.principal);
    const result = await settle(billing, customer.principal, holdId, 1_000n, 1_000n);
    expect(result.customerMicrocents).toBe(HELD);
    expect(result.overrunMicrocents).toBeGreaterThan(0n);
    expect((await billing.getCustomerBalance({ customerId: customer.id }, callAs(owner))).balanceMicrocents).toBe(0n);
    await expectConsistent(owner);
  });

  it('releases the whole hold when nothing was served', async () => {
    const owner = ownerPrincipal();
    await fundOwner(billing, owner, 1_000_000n);
    const { holdId } = await admit(billing, owner);
    expect((await settle(billing, owner, holdId, 0n, 0n)).outcome).toBe(SettleOutcome.RELEASED);
    expect((await billing.getAccountBalance({}, callAs(owner))).balanceMicrocents).toBe(1_000_000n);
    await expectConsistent(owner);
  });

  it('records the doubt of a canceled call once, frees the funds and charges nothing', async () => {
    const owner = ownerPrincipal();
    await fundOwner(billing, owner, HELD);
    const { holdId } = await admit(billing, owner);
    const settleInDoubt = () => billing.settle({ holdId, usage: {}, isInDoubt: true }, callAs(owner));
    expect(await settleInDoubt()).toMatchObject({ outcome: SettleOutcome.RELEASED, ownerMicrocents: 0n });
    expect((await settleInDoubt()).outcome).toBe(SettleOutcome.DUPLICATE);
    expect(await billing.getAccountBalance({}, callAs(owner))).toMatchObject({
      balanceMicrocents: HELD,
      reservedMicrocents: 0n,
    });
    expect(await billing.verifyLedger({}, callAs(owner))).toMatchObject({
      differences: [],
      openHolds: 0n,
      unreconciledMicrocents: HELD,
    });
  });

  it('records the whole hold for each call that was never answered, beside the usage of the answered call', async () => {
    const owner = ownerPrincipal();
    await fundOwner(billing, owner, HELD);
    const { holdId } = await admit(billing, owner);
    const usage = { inputTokens: 1n, outputTokens: 0n };
    const settled = await billing.settle({ holdId, usage, unansweredCalls: 2 }, callAs(owner));
    expect(settled.outcome).toBe(SettleOutcome.POSTED);
    expect(settled.ownerMicrocents).toBeGreaterThan(0n);
    expect(await billing.getAccountBalance({}, callAs(owner))).toMatchObject({
      balanceMicrocents: HELD - settled.ownerMicrocents,
      reservedMicrocents: 0n,
    });
    expect(await billing.verifyLedger({}, callAs(owner))).toMatchObject({
      differences: [],
      unreconciledMicrocents: 2n * HELD,
    });
  });

  it.each([
    ['a report', { usage: { inputTokens: 1n, outputTokens: 0n } }, 2n],
    ['a report in doubt', { usage: {}, isInDoubt: true }, 3n],
  ])('records the calls of %s for an expired hold that were never answered, once', async (_what, report, bounds) => {
    const owner = ownerPrincipal();
    await fundOwner(billing, owner, HELD);
    const { holdId } = await admit(billing, owner);
    await expire(holdId);
    const settleLate = () => billing.settle({ holdId, ...report, unansweredCalls: 2 }, callAs(owner));
    expect((await settleLate()).outcome).toBe(SettleOutcome.LATE);
    expect((await settleLate()).outcome).toBe(SettleOutcome.DUPLICATE);
    expect(await billing.verifyLedger({}, callAs(owner))).toMatchObject({
      differences: [],
      unreconciledMicrocents: bounds * HELD,
    });
    const { usage } = await billing.listUnchargedUsage({ kind: 'unreconciled', limit: 10 }, callAs(owner));
    expect(usage).toMatchObject([{ unreconciledMicrocents: bounds * HELD }]);
  });

  it('answers UNKNOWN_REQUEST for an unknown hold, without effect', async () => {
    const owner = ownerPrincipal();
    expect((await settle(billing, owner, randomUUID(), 1n, 1n)).outcome).toBe(SettleOutcome.UNKNOWN_REQUEST);
  });

  it('records usage of a hold that a failover lost as unreconciled, once, and charges no customer', async () => {
    const owner = ownerPrincipal();
    await fundOwner(billing, owner, 1_000_000n);
    const usual = await admit(billing, owner);
    const { ownerMicrocents: cost } = await settle(billing, owner, usual.holdId, 9n, 20n);
    // The process that admitted the request still knows the hold; the other one learns the model from the report.
    const lost = [await admit(billing, owner), await admit(billing, owner)];
    await forgetHolds(lost.map(({ holdId }) => holdId));
    const replica = await harness.replica();
    const usage = { inputTokens: 9n, outputTokens: 20n };
    const report = (client: BillingClient, i: number) =>
      client.settle({ holdId: lost[i]!.holdId, usage, facts: { modelId: ECHO } }, callAs(owner));
    const nothing = { customerMicrocents: 0n, ownerMicrocents: 0n, overrunMicrocents: 0n };
    expect(await report(billing, 0)).toMatchObject({ outcome: SettleOutcome.UNKNOWN_REQUEST, ...nothing });
    expect(await report(replica, 1)).toMatchObject({ outcome: SettleOutcome.UNKNOWN_REQUEST, ...nothing });
    for (const i of [0, 1]) {
      expect(await report(billing, i)).toMatchObject({ outcome: SettleOutcome.DUPLICATE, ...nothing });
      expect(await report(replica, i)).toMatchObject({ outcome: SettleOutcome.DUPLICATE, ...nothing });
    }
    expect(await billing.verifyLedger({}, callAs(owner))).toMatchObject({
      differences: [],
      openHolds: 0n,
      unreconciledMicrocents: 2n * cost,
    });
    const { usage: uncharged } = await billing.listUnchargedUsage({ kind: 'unreconciled', limit: 10 }, callAs(owner));
    expect(uncharged.map(({ modelId }) => modelId)).toEqual([ECHO, ECHO]);
    const booked = await harness.database.pool.query(
      'SELECT DISTINCT input_tokens, output_tokens, unreconciled_microcents FROM holds WHERE request_id = ANY($1::uuid[])',
      [lost.map(({ holdId }) => holdId)],
    );
    expect(booked.rows).toEqual([{ input_tokens: 9n, output_tokens: 20n, unreconciled_microcents: cost }]);
  });

  it('bounds the doubt of a canceled call whose hold a failover lost by what was held', async () => {
    const owner = ownerPrincipal();
    await fundOwner(billing, owner, HELD);
    const { holdId } = await admit(billing, owner);
    await forgetHolds([holdId]);
    await billing.settle({ holdId, usage: {}, isInDoubt: true }, callAs(owner));
    expect(await billing.verifyLedger({}, callAs(owner))).toMatchObject({
      differences: [],
      unreconciledMicrocents: HELD,
    });
  });

  it('emits one usage event per hold, with the ledger’s figures', async () => {
    const owner = ownerPrincipal();
    await fundOwner(billing, owner, 1_000_000n);
    const { holdId } = await admit(billing, owner);
    await settle(billing, owner, holdId, 10n, 10n);
    await settle(billing, owner, holdId, 10n, 10n);
    const seen: ReceivedEvent[] = [];
    const transport = createEmbeddedTransport({ url: harness.database.url, logger: silentLogger });
    await transport.start();
    const isMine = (event: ReceivedEvent) =>
      event.type === 'usage.recorded' && decodeEvent(eventTypes.usageRecorded, event).holdId === holdId;
    await new Promise<void>((resolve) => {
      const handler = async (event: ReceivedEvent) => {
        seen.push(event);
        if (isMine(event)) resolve();
      };
      return transport.subscribe({ group: randomUUID(), topics: ['tollgate.usage.v1'], handler });
    });
    await transport.stop();
    const mine = seen.filter(isMine).map((event) => decodeEvent(eventTypes.usageRecorded, event));
    expect(mine).toMatchObject([
      { accountId: owner.accountId, usage: { inputTokens: 10n, outputTokens: 10n }, providerMicrocents: 4_000n },
    ]);
  });
});

describe('an attempt that is superseded', () => {
  it.each([
    ['while it is open', false],
    ['after it was settled', true],
  ])('charges the customer only for the new attempt, %s', async (_, isSettled) => {
    const owner = ownerPrincipal();
    await fundOwner(billing, owner, 1_000_000n);
    const customer = await customerOn(billing, owner, { tierCode: 'paygo', billingMode: 'paygo' });
    await fundWallet(billing, owner, customer.id, HELD);
    const lost = await admit(billing, customer.principal);
    if (isSettled) await settle(billing, customer.principal, lost.holdId, 10n, 10n);
    const next = await admit(billing, customer.principal, { supersedesHoldId: lost.holdId });
    expect(next.decision.case).toBe('admitted');
    if (!isSettled) await settle(billing, customer.principal, lost.holdId, 10n, 10n);
    await settle(billing, customer.principal, next.holdId, 10n, 20n);
    const balance = await billing.getCustomerBalance({ customerId: customer.id }, callAs(owner));
    expect(balance).toMatchObject({ balanceMicrocents: HELD - 7_000n, reservedMicrocents: 0n });
    const usage = await billing.getCustomerUsage({ customerId: customer.id }, callAs(owner));
    expect(usage.totalCostMicrocents).toBe(7_000n);
    expect((await billing.getAccountBalance({}, callAs(owner))).balanceMicrocents).toBe(1_000_000n - 4_000n - 7_000n);
    await expectConsistent(owner);
  });
});

describe('a lost database connection', () => {
  it('does not make a batch charge twice', async () => {
    const owner = ownerPrincipal();
    await fundOwner(billing, owner, 1_000_000_000n);
    const admitted = await Promise.all(Array.from({ length: 40 }, () => admit(billing, owner)));
    const settling = admitted.map(({ holdId }) => settle(billing, owner, holdId, 10n, 10n));
    await harness.database.pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '${harness.database.schema} lane' AND pid <> pg_backend_pid()`,
    );
    const results = await Promise.all(settling);
    expect(results.every((r) => r.ownerMicrocents === 4_000n)).toBe(true);
    expect((await billing.getAccountBalance({}, callAs(owner))).balanceMicrocents).toBe(1_000_000_000n - 40n * 4_000n);
    await expectConsistent(owner);
  });
});

describe('the journal', () => {
  it('rejects updates and deletions', async () => {
    await fundOwner(billing, ownerPrincipal(), 1_000n);
    await expect(harness.database.pool.query('UPDATE transfers SET amount = 1')).rejects.toThrow('append-only');
    await expect(harness.database.pool.query('DELETE FROM transfers')).rejects.toThrow('append-only');
  });
});

/** Ends the hold by its expiry, without any progress. */
async function expire(holdId: string): Promise<void> {
  const { pool } = harness.database;
  await pool.query(`UPDATE holds SET expires_at = now() - interval '1 second' WHERE request_id = $1`, [holdId]);
  const verdict = 'SELECT 1 FROM holds WHERE request_id = $1 AND state = $2';
  await waitUntil(async () => (await pool.query(verdict, [holdId, HOLD_STATES.expired])).rowCount === 1, {
    what: 'the verdict',
  });
}

async function readUsages(owner: Principal): Promise<(Usage | undefined)[]> {
  const { usageRecorded, usageCorrected } = eventTypes;
  const events = [
    ...(await harness.events(usageRecorded, owner.projectId)),
    ...(await harness.events(usageCorrected, owner.projectId)),
  ];
  return events.map(({ usage }) => usage);
}

describe("fees of the provider's own tools", () => {
  it('charges them like input and counts only the tokens that a model has read', async () => {
    const owner = ownerPrincipal();
    await fundOwner(billing, owner, 1_000_000n);
    const customer = await customerOn(billing, owner, { tierCode: 'paygo', billingMode: 'paygo' });
    await fundWallet(billing, owner, customer.id, 1_000_000n);
    const { holdId } = await admit(billing, customer.principal);
    const usage = { inputTokens: 9n, outputTokens: 20n, toolFeeTokens: 4n };
    const facts = { modelId: ECHO, status: 200, success: true };
    const result = await billing.settle({ holdId, usage, facts }, callAs(customer.principal));
    expect(result).toMatchObject({ outcome: SettleOutcome.POSTED, customerMicrocents: 6_900n });
    const report = await billing.getCustomerUsage({ customerId: customer.id }, callAs(owner));
    expect(report).toMatchObject({ requests: 1n, tokens: 25n, totalCostMicrocents: 6_900n });
    const { outcomes } = await harness.holds.readHoldOutcomes({ holdIds: [holdId] }, callAs(owner));
    expect(outcomes).toMatchObject([{ inputTokens: 5n, outputTokens: 20n, customerMicrocents: 6_900n }]);
    const { entries } = await billing.listBalanceHistory({ customerId: customer.id, limit: 1 }, callAs(owner));
    expect(entries[0]).toMatchObject({ inputTokens: 5n, outputTokens: 20n });
    expect(await readUsages(owner)).toMatchObject([{ inputTokens: 5n, outputTokens: 20n, toolFeeTokens: 0n }]);
    await expectConsistent(owner);
  });

  it('leaves them out of the counts when the report is late or its request is superseded', async () => {
    const owner = ownerPrincipal();
    await fundOwner(billing, owner, 1_000_000n);
    const customer = await customerOn(billing, owner, { tierCode: 'paygo', billingMode: 'paygo' });
    await fundWallet(billing, owner, customer.id, 1_000_000n);
    const { holdId } = await admit(billing, customer.principal);
    await expire(holdId);
    const usage = { inputTokens: 9n, outputTokens: 20n, toolFeeTokens: 4n };
    const late = await billing.settle({ holdId, usage }, callAs(customer.principal));
    expect(late).toMatchObject({ outcome: SettleOutcome.LATE, customerMicrocents: 6_900n });
    await harness.holds.supersedeHolds({ holdIds: [holdId] }, callAs(customer.principal));
    const report = await billing.getCustomerUsage({ customerId: customer.id }, callAs(owner));
    expect(report).toMatchObject({ requests: 1n, tokens: 25n, totalCostMicrocents: 0n });
    const [, ...corrected] = await readUsages(owner);
    expect(corrected).toMatchObject([{ inputTokens: 5n }, { inputTokens: 5n }]);
    await expectConsistent(owner);
  });

  it('ignores a fee above the reported input', async () => {
    const owner = ownerPrincipal();
    await fundOwner(billing, owner, 1_000_000n);
    const { holdId } = await admit(billing, owner);
    const usage = { inputTokens: 9n, outputTokens: 20n, toolFeeTokens: 10n };
    await billing.settle({ holdId, usage }, callAs(owner));
    const { outcomes } = await harness.holds.readHoldOutcomes({ holdIds: [holdId] }, callAs(owner));
    expect(outcomes).toMatchObject([{ inputTokens: 9n, outputTokens: 20n }]);
  });
});
