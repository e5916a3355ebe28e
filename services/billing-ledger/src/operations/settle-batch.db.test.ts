import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BillingService, SettleOutcome } from '@tollgate/contracts/billing/v1/billing_pb.js';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { type LocalNetwork, startCall } from '@tollgate/rpc';
import { type CutProxy, startCutProxy } from '../proof/cut-proxy.js';
import {
  callAs,
  customerOn,
  ECHO,
  fundOwner,
  fundWallet,
  type LedgerBench,
  ownerPrincipal,
  startLedgerBench,
} from '../testing/ledger-bench.js';

/** 10 tokens in at 100 and at most 90 out at 300. */
const ASK = { model: ECHO, inputTokensEstimate: 10n, maxOutputTokens: 90 };
const HELD = 28_000n;
const USED = { inputTokens: 10n, outputTokens: 20n };
const PRICE = 7_000n;

let bench: LedgerBench;
let proxy: CutProxy;
/** A replica whose statements the test can hold back. */
let slow: LocalNetwork;

beforeAll(async () => {
  bench = await startLedgerBench('settle-batch', { env: { HOLD_TTL: '1h', HOLD_SWEEP_INTERVAL: '20ms' } });
  proxy = await startCutProxy(bench.database.url, (statement) => statement === 'settle_all_or_nothing');
  slow = await bench.house({ DATABASE_URL: proxy.url, HOLD_SWEEP_INTERVAL: '1h' });
}, 60_000);
afterAll(async () => {
  proxy.resume();
  await bench.stop();
  await proxy.stop();
});

async function newPayer() {
  const owner = ownerPrincipal();
  await fundOwner(bench.billing, owner, 10_000_000_000n);
  const customer = await customerOn(bench.billing, owner, { tierCode: 'paygo', billingMode: 'paygo' });
  await fundWallet(bench.billing, owner, customer.id, HELD);
  const balance = async () =>
    (await bench.billing.getCustomerBalance({ customerId: customer.id }, callAs(owner))).balanceMicrocents;
  return { owner, payer: customer.principal, balance };
}

async function admit(at: LocalNetwork, principal: Principal): Promise<string> {
  const requestId = randomUUID();
  const call = startCall({ principal, requestId, timeoutMs: 30_000 });
  const { decision } = await at.client(BillingService).admit({ ...ASK, requestId }, call);
  expect(decision.case).toBe('admitted');
  return requestId;
}

function settle(at: LocalNetwork, principal: Principal, requestId: string, usage: object = USED) {
  const call = startCall({ principal, requestId, timeoutMs: 30_000 });
  return at.client(BillingService).settle({ requestId, usage }, call);
}

async function expireOpenHolds({ accountId }: Principal): Promise<void> {
  const { pool } = bench.database;
  await pool.query(
    `UPDATE holds SET expires_at = now() - interval '1 second' WHERE owner_account_id = $1 AND state = 0`,
    [accountId],
  );
  const open = 'SELECT 1 FROM holds WHERE owner_account_id = $1 AND state = 0';
  await until(async () => (await pool.query(open, [accountId])).rowCount === 0);
}

async function until(isSo: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe('a settlement', () => {
  it('accepts a report as late when a verdict is committed between its read and its write', async () => {
    const { owner, payer, balance } = await newPayer();
    const requestId = await admit(slow, payer);
    proxy.arm();
    proxy.pauseAt('settle_all_or_nothing');
    // With an unknown request in its batch a report is settled alone: it reads its hold, then writes.
    const reports = [settle(slow, payer, requestId), settle(slow, payer, randomUUID())];
    await until(() => proxy.seen.includes('settle_all_or_nothing'));
    await expireOpenHolds(owner);
    proxy.resume();
    const outcomes = (await Promise.all(reports)).map(({ outcome }) => outcome);
    expect(outcomes).toEqual([SettleOutcome.LATE, SettleOutcome.UNKNOWN_REQUEST]);
    expect(await balance()).toBe(HELD - PRICE);
    expect(await bench.billing.verifyLedger({}, callAs(owner))).toMatchObject({
      differences: [],
      openHolds: 0n,
      unreconciledMicrocents: 0n,
    });
  });
});
