import { randomUUID } from 'node:crypto';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BillingService, SettleOutcome } from '@tollgate/contracts/billing/v1/billing_pb.js';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { type LocalNetwork, startCall } from '@tollgate/rpc';
import { waitUntil } from '@tollgate/testkit';
import { HOLD_STATES } from '../../domain/hold.js';
import { type CutProxy, startCutProxy } from '../../proof/cut-proxy.js';
import {
  callAs,
  customerOn,
  ECHO,
  fundOwner,
  fundWallet,
  type LedgerHarness,
  ownerPrincipal,
  startLedgerHarness,
} from '../../testing/ledger-harness.js';

/** 10 tokens in at 100 and at most 90 out at 300. */
const ASK = { model: ECHO, inputTokensEstimate: 10n, maxOutputTokens: 90 };
const HELD = 28_000n;
const USED = { inputTokens: 10n, outputTokens: 20n };
const PRICE = 7_000n;
const INT64_MAX = 2n ** 63n - 1n;
/** Cents per million tokens: the maximum price of a tier. */
const DEAR = 9_000_000_000n;

let harness: LedgerHarness;
let proxy: CutProxy;
/** A replica whose statements the test can pause. */
let slow: LocalNetwork;

beforeAll(async () => {
  harness = await startLedgerHarness('settle-batch', { env: { HOLD_TTL: '1h', HOLD_SWEEP_INTERVAL: '20ms' } });
  proxy = await startCutProxy(harness.database.url, (statement) => statement === 'settle_and_hold');
  slow = await harness.replicaNetwork({ DATABASE_URL: proxy.url, HOLD_SWEEP_INTERVAL: '1h' });
});
afterAll(async () => {
  proxy.resume();
  await harness.stop();
  await proxy.stop();
});

async function newPayer({ isDear = false } = {}) {
  const owner = ownerPrincipal();
  const call = callAs(owner);
  await fundOwner(harness.billing, owner, 10_000_000_000n);
  if (isDear) {
    const models = [{ modelId: ECHO, inputPricePerMillionCents: DEAR, outputPricePerMillionCents: DEAR }];
    await harness.billing.createTier({ tierCode: 'paygo', displayName: 'Dear', billingMode: 'paygo', models }, call);
  }
  const customer = await customerOn(harness.billing, owner, { tierCode: 'paygo', billingMode: 'paygo' });
  await fundWallet(harness.billing, owner, customer.id, isDear ? 10n ** 13n : HELD);
  const balance = async () =>
    (await harness.billing.getCustomerBalance({ customerId: customer.id }, call)).balanceMicrocents;
  return { owner, payer: customer.principal, customerId: customer.id, balance };
}

async function admit(at: LocalNetwork, principal: Principal): Promise<string> {
  const holdId = randomUUID();
  const call = startCall({ principal, requestId: holdId, timeoutMs: 30_000 });
  const { decision } = await at.client(BillingService).admit({ ...ASK, holdId }, call);
  expect(decision.case).toBe('admitted');
  return holdId;
}

function settle(at: LocalNetwork, principal: Principal, holdId: string, usage: object = USED) {
  const call = startCall({ principal, requestId: holdId, timeoutMs: 30_000 });
  return at.client(BillingService).settle({ holdId, usage }, call);
}

async function expireOpenHolds({ accountId }: Principal): Promise<void> {
  const { pool } = harness.database;
  await pool.query(
    `UPDATE holds SET expires_at = now() - interval '1 second' WHERE owner_account_id = $1 AND state = ${HOLD_STATES.open}`,
    [accountId],
  );
  const open = `SELECT 1 FROM holds WHERE owner_account_id = $1 AND state = ${HOLD_STATES.open}`;
  await waitUntil(async () => (await pool.query(open, [accountId])).rowCount === 0, {
    what: 'the expiry of the holds',
  });
}

describe('a batch of settlements', () => {
  it('charges each hold its own usage in one commit, in any order of the ids', async () => {
    const { owner } = await newPayer();
    const ids: string[] = [];
    for (let i = 0; i < 8; i++) ids.push(await admit(slow, owner));
    const charged = await Promise.all(
      ids.map(async (holdId, i) => {
        const usage = { inputTokens: 10n, outputTokens: BigInt(i) };
        return (await settle(slow, owner, holdId, usage)).ownerMicrocents;
      }),
    );
    const { rows } = await harness.database.pool.query<{ id: string; owner_microcents: bigint; commit: string }>(
      'SELECT request_id AS id, owner_microcents, xmin::text AS commit FROM holds WHERE request_id = ANY($1)',
      [ids],
    );
    const stored = new Map(rows.map((row) => [row.id, row.owner_microcents]));
    expect(ids.map((id) => stored.get(id))).toEqual(charged);
    expect(charged).toEqual(ids.map((_, i) => 1_000n + BigInt(i) * 300n));
    expect(new Set(rows.map(({ commit }) => commit)).size).toBe(1);
  });
});

describe('a settlement', () => {
  it('accepts a report as late when a verdict is committed between its read and its write', async () => {
    const { owner, payer, balance } = await newPayer();
    const holdId = await admit(slow, payer);
    proxy.arm();
    proxy.pauseAt('settle_and_hold');
    // An unknown hold in the batch makes each report settle alone: it reads its hold, then writes.
    const reports = [settle(slow, payer, holdId), settle(slow, payer, randomUUID())];
    await waitUntil(() => proxy.seen.includes('settle_and_hold'), { what: 'the paused statement' });
    await expireOpenHolds(owner);
    proxy.resume();
    const outcomes = (await Promise.all(reports)).map(({ outcome }) => outcome);
    expect(outcomes).toEqual([SettleOutcome.LATE, SettleOutcome.UNKNOWN_REQUEST]);
    expect(await balance()).toBe(HELD - PRICE);
    expect(await harness.billing.verifyLedger({}, callAs(owner))).toMatchObject({
      differences: [],
      openHolds: 0n,
      unreconciledMicrocents: 0n,
    });
  });

  it.each([
    ['a quadrillion tokens', { inputTokens: 10n ** 15n, outputTokens: 20n }, 7_000n],
    ['the largest figures of the wire', { inputTokens: INT64_MAX, outputTokens: INT64_MAX }, HELD],
    ['a negative figure', { inputTokens: -1n, outputTokens: 20n }, 7_000n],
  ])('settles an estimate instead of %s, and usage reports still work', async (_, usage, charged) => {
    const { owner, payer, customerId } = await newPayer({ isDear: true });
    for (let i = 0; i < 3; i++) {
      const holdId = await admit(slow, payer);
      const result = await settle(slow, payer, holdId, usage);
      expect(result).toMatchObject({ outcome: SettleOutcome.POSTED, ownerMicrocents: charged, overrunMicrocents: 0n });
    }
    const call = callAs(owner);
    const figures = [
      await harness.billing.verifyLedger({}, call),
      await harness.billing.getAccountUsage({}, call),
      await harness.billing.getCustomerUsage({ customerId }, call),
      await harness.billing.getCustomerBalance({ customerId }, call),
    ].flatMap((report) => Object.values(report).filter((value) => typeof value === 'bigint'));
    expect(figures.filter((figure) => figure > BigInt(Number.MAX_SAFE_INTEGER))).toEqual([]);
    expect(await harness.billing.verifyLedger({}, call)).toMatchObject({ differences: [], openHolds: 0n });
  });

  it('settles an estimate instead of an implausible report after the verdict', async () => {
    const { owner, payer } = await newPayer();
    const holdId = await admit(slow, payer);
    await expireOpenHolds(owner);
    const usage = { inputTokens: 10n ** 15n, outputTokens: 20n };
    expect(await settle(slow, payer, holdId, usage)).toMatchObject({
      outcome: SettleOutcome.LATE,
      customerMicrocents: PRICE,
    });
    expect((await harness.billing.verifyLedger({}, callAs(owner))).differences).toEqual([]);
  });

  it('records a report that PostgreSQL permanently refuses as unreconciled, without a retry', async () => {
    const { owner, payer, balance } = await newPayer();
    const holdId = await admit(slow, payer);
    await refuseUpdates(`NEW.request_id = '${holdId}' AND NEW.output_tokens > 0`);
    expect(await settle(slow, payer, holdId)).toMatchObject({
      outcome: SettleOutcome.RELEASED,
      customerMicrocents: 0n,
    });
    expect(await balance()).toBe(HELD);
    expect(await harness.billing.verifyLedger({}, callAs(owner))).toMatchObject({
      differences: [],
      openHolds: 0n,
      unreconciledMicrocents: HELD,
    });
  });

  it('fails without retry advice when not even that can be recorded', async () => {
    const { payer } = await newPayer();
    const holdId = await admit(slow, payer);
    await refuseUpdates(`NEW.request_id = '${holdId}'`);
    await expect(settle(slow, payer, holdId)).rejects.toMatchObject({ code: 'INTERNAL_ERROR', retryable: false });
  });
});

/** Makes PostgreSQL permanently refuse changes of holds. */
async function refuseUpdates(condition: string): Promise<void> {
  const name = `refuse_${randomUUID().replaceAll('-', '')}`;
  await harness.database.pool.query(`
    CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'out of range' USING ERRCODE = '22003'; END $$;
    CREATE TRIGGER ${name} BEFORE UPDATE ON holds FOR EACH ROW WHEN (${condition}) EXECUTE FUNCTION ${name}();`);
}

describe('usage reports of an account', () => {
  it('caps the sums of the largest stored figures at the int64 maximum', async () => {
    const { owner, customerId } = await newPayer();
    const { windowStart } = await harness.billing.getCustomerUsage({ customerId }, callAs(owner));
    await harness.database.pool.query(
      `INSERT INTO usage_rollups (owner_account_id, project_id, customer_id, window_start, day, key_id, model_id, requests,
         input_tokens, output_tokens, images, customer_microcents, provider_microcents, overrun_microcents, unreconciled_microcents)
       SELECT $1, $2, $3, $4, (now() AT TIME ZONE 'UTC')::date - n, $2, 'm', 1, m, m, m, m, m, m, m
       FROM generate_series(0, 2) AS n, (SELECT 9223372036854775807 AS m) x`,
      [owner.accountId, owner.projectId, customerId, windowStart && timestampDate(windowStart)],
    );
    const call = callAs(owner);
    expect(await harness.billing.verifyLedger({}, call)).toMatchObject({ overrunMicrocents: INT64_MAX });
    expect(await harness.billing.getAccountUsage({ groupBy: 'model' }, call)).toMatchObject({
      rows: [{ inputTokens: INT64_MAX, providerMicrocents: INT64_MAX }],
      unreconciledMicrocents: INT64_MAX,
    });
    expect(await harness.billing.getCustomerUsage({ customerId }, call)).toMatchObject({
      tokens: INT64_MAX,
      totalCostMicrocents: INT64_MAX,
    });
  });
});
