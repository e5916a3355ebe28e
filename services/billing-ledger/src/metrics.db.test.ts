import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { MetricsRegistry, observeQueue } from '@tollgate/metrics';
import { startCall } from '@tollgate/rpc';
import { type MetricFamily, parseMetrics, scrapeMetrics, waitUntil } from '@tollgate/testkit';
import { OPEN_HOLD_TOTALS } from './store/holds/open-holds.js';
import { PENDING_UNDOS, readPendingUndos } from './store/payments/undone-orders.js';
import {
  callAs,
  customerOn,
  ECHO,
  fundOwner,
  fundWallet,
  type LedgerHarness,
  ownerPrincipal,
  startLedgerHarness,
} from './testing/ledger-harness.js';

let registry: MetricsRegistry;
const owner = ownerPrincipal();
let harness: LedgerHarness;
let payer: Principal;

beforeEach(async () => {
  registry = new MetricsRegistry();
  harness = await startLedgerHarness(import.meta.url, { metrics: registry });
  await fundOwner(harness.billing, owner, 10_000_000_000n);
  const customer = await customerOn(harness.billing, owner, { tierCode: 'paygo', billingMode: 'paygo' });
  await fundWallet(harness.billing, owner, customer.id, 10_000_000n);
  payer = customer.principal;
});
afterEach(() => harness.stop());

/** Returns the values of a metric by the values of its own labels. */
async function readValues(name: string): Promise<Record<string, number>> {
  return toValues(parseMetrics(await registry.scrape())[name]);
}

/** As `readValues`, of a metric that the database is asked for. */
async function readObserved(name: string): Promise<Record<string, number>> {
  return toValues((await scrapeMetrics(registry, name))[name]);
}

function toValues({ samples }: Pick<MetricFamily, 'samples'> = { samples: [] }): Record<string, number> {
  return Object.fromEntries(
    samples.map(({ labels: { service, ...labels }, value }) => {
      expect(service).toBe('billing-ledger');
      return [Object.values(labels).join(' '), value];
    }),
  );
}

const admit = (values: object = {}) => {
  const request = { holdId: randomUUID(), model: ECHO, inputTokensEstimate: 10n, maxOutputTokens: 10, ...values };
  return harness.billing
    .admit(request, callAs(payer))
    .then(({ decision }) => ({ ...decision, holdId: request.holdId }));
};

describe('the metrics of the ledger', () => {
  it('counts admissions by verdict, settlements by outcome, charges, batches and open holds', async () => {
    const admitted = [await admit(), await admit(), await admit()];
    const refused = await admit({ model: 'sandbox/none' });
    expect(refused.case).toBe('refused');
    const tentative = await admit({ model: 'sandbox/none', isTentative: true });
    expect(tentative.case).toBe('refused');
    const code = (refused as unknown as { value: { code: string } }).value.code;
    expect(await readValues('tollgate_admissions_total')).toEqual({ admitted: 3, [code]: 1 });
    expect(await readObserved('tollgate_holds_open')).toEqual({ '': 3 });
    expect((await readObserved('tollgate_holds_oldest_age_seconds'))['']).toBeGreaterThanOrEqual(0);

    const [used, unused] = admitted;
    const usage = { inputTokens: 10n, outputTokens: 5n };
    const settle = (holdId: string, values: object) => harness.billing.settle({ holdId, ...values }, callAs(payer));
    const posted = await settle(used!.holdId, { usage });
    await settle(used!.holdId, { usage });
    await settle(unused!.holdId, {});
    await settle(randomUUID(), { usage });
    expect(await readValues('tollgate_settlements_total')).toEqual({
      posted: 1,
      duplicate: 1,
      released: 1,
      unknown_hold: 1,
    });
    // 10 tokens in at 100 and 5 out at 300 cents per million.
    expect(posted.customerMicrocents).toBe(2_500n);
    expect(await readValues('tollgate_charged_microcents_total')).toEqual({
      [`${ECHO} customer`]: 2_500,
      [`${ECHO} owner`]: 2_500,
    });

    const page = parseMetrics(await registry.scrape());
    const findCount = (name: string, kind: string) =>
      page[name]?.samples.find((sample) => sample.name === `${name}_count` && sample.labels.kind === kind)?.value;
    const findSum = (name: string, kind: string) =>
      page[name]?.samples.find((sample) => sample.name === `${name}_sum` && sample.labels.kind === kind)?.value;
    expect(findSum('tollgate_ledger_batch_items', 'admit')).toBe(3);
    expect(findCount('tollgate_ledger_batch_wait_seconds', 'admit')).toBe(3);
    expect(findSum('tollgate_ledger_batch_items', 'settle')).toBe(4);
  });

  it('counts the wait of an admission that was given up because its account is locked', async () => {
    const waits = async () => {
      const page = parseMetrics(await registry.scrape());
      const samples = page.tollgate_ledger_batch_wait_seconds?.samples ?? [];
      const of = (part: string) => samples.find(({ name, labels }) => name.endsWith(part) && labels.kind === 'admit');
      return { count: of('_count')?.value ?? 0, sum: of('_sum')?.value ?? 0 };
    };
    const before = await waits();
    const holder = await harness.database.pool.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM accounts WHERE owner_account_id = $1 FOR UPDATE', [owner.accountId]);
    const request = { holdId: randomUUID(), model: ECHO, inputTokensEstimate: 10n, maxOutputTokens: 10 };
    const call = startCall({ principal: payer, timeoutMs: 1_500 });
    await expect(harness.billing.admit(request, call)).rejects.toThrow();
    await waitUntil(async () => (await waits()).count === before.count + 1, { what: 'the wait to be counted' });
    expect((await waits()).sum - before.sum).toBeGreaterThan(1);
    await holder.query('ROLLBACK');
    holder.release();
  });

  it('shows the differences of the last verification of each owner', async () => {
    expect(await readValues('tollgate_ledger_verify_differences')).toEqual({});
    await harness.billing.verifyLedger({}, callAs(owner));
    expect(await readValues('tollgate_ledger_verify_differences')).toEqual({ '': 0 });
    await harness.database.pool.query('UPDATE accounts SET credits = credits + 1 WHERE owner_account_id = $1', [
      owner.accountId,
    ]);
    const { differences } = await harness.billing.verifyLedger({}, callAs(owner));
    expect(differences.length).toBeGreaterThan(0);
    await harness.billing.verifyLedger({}, callAs(ownerPrincipal()));
    expect(await readValues('tollgate_ledger_verify_differences')).toEqual({ '': differences.length });
    expect((await readValues('tollgate_ledger_verified_timestamp_seconds'))['']).toBeGreaterThan(1_700_000_000);
  });

  it('shows purchases that wait to be undone, from the request on', async () => {
    await harness.database.pool.query(
      `INSERT INTO payment_orders (id, kind, account_id, created_at, check_at, undo_requested_at, undo_at)
       SELECT gen_random_uuid(), 'wallet_topup', $1, now(), now(), now() - interval '7 minutes', due
       FROM unnest(ARRAY[now() + interval '1 hour', NULL]) AS due`,
      [owner.accountId],
    );
    const own = new MetricsRegistry();
    observeQueue(own.forService('billing-ledger'), 'payment_undo', () => readPendingUndos(harness.database.pool));
    const page = await scrapeMetrics(own, 'tollgate_queue_depth', 'tollgate_queue_oldest_age_seconds');
    expect(page.tollgate_queue_depth?.samples).toMatchObject([{ labels: { queue: 'payment_undo' }, value: 1 }]);
    expect(page.tollgate_queue_oldest_age_seconds?.samples[0]?.value).toBeGreaterThanOrEqual(420);
    expect(await readObserved('tollgate_queue_depth')).toEqual({ payment_undo: expect.any(Number) });
  });

  it.each([
    ['open holds', OPEN_HOLD_TOTALS, 'holds_open_expires_at_idx'],
    ['purchases to undo', PENDING_UNDOS, 'payment_orders_undo_at_idx'],
  ])('reads %s through their partial index', async (_, statement, index) => {
    await harness.database.pool.query('SET enable_seqscan = off');
    const { rows } = await harness.database.pool.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${statement}`);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toMatch(new RegExp(`(Scan using|Index Scan on) ${index}`));
    expect(plan).not.toContain('Sort');
  });
});
