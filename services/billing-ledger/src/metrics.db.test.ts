import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { MetricsRegistry } from '@tollgate/metrics';
import { parseMetrics } from '@tollgate/testkit';
import { OPEN_HOLD_TOTALS } from './store/holds/open-hold-totals.js';
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

/** The samples of a name: value by the values of its own labels. */
async function valuesOf(name: string): Promise<Record<string, number>> {
  const samples = parseMetrics(await registry.scrape())[name]?.samples ?? [];
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
    const code = (refused as unknown as { value: { code: string } }).value.code;
    expect(await valuesOf('tollgate_admissions_total')).toEqual({ admitted: 3, [code]: 1 });
    expect(await valuesOf('tollgate_holds_open')).toEqual({ '': 3 });
    expect((await valuesOf('tollgate_holds_oldest_age_seconds'))['']).toBeGreaterThanOrEqual(0);

    const [used, unused] = admitted;
    const usage = { inputTokens: 10n, outputTokens: 5n };
    const settle = (holdId: string, values: object) => harness.billing.settle({ holdId, ...values }, callAs(payer));
    const posted = await settle(used!.holdId, { usage });
    await settle(used!.holdId, { usage });
    await settle(unused!.holdId, {});
    await settle(randomUUID(), { usage });
    expect(await valuesOf('tollgate_settlements_total')).toEqual({ posted: 1, duplicate: 1, released: 1 });
    // 10 tokens in at 100 and 5 out at 300 cents per million.
    expect(posted.customerMicrocents).toBe(2_500n);
    expect(await valuesOf('tollgate_charged_microcents_total')).toEqual({
      [`${ECHO} customer`]: 2_500,
      [`${ECHO} owner`]: 2_500,
    });

    const page = parseMetrics(await registry.scrape());
    const countOf = (name: string, kind: string) =>
      page[name]?.samples.find((sample) => sample.name === `${name}_count` && sample.labels.kind === kind)?.value;
    const sumOf = (name: string, kind: string) =>
      page[name]?.samples.find((sample) => sample.name === `${name}_sum` && sample.labels.kind === kind)?.value;
    expect(sumOf('tollgate_ledger_batch_items', 'admit')).toBe(3);
    expect(countOf('tollgate_ledger_batch_wait_seconds', 'admit')).toBe(3);
    expect(sumOf('tollgate_ledger_batch_items', 'settle')).toBe(4);
  });

  it('shows the differences of the last verification of each owner', async () => {
    expect(await valuesOf('tollgate_ledger_verify_differences')).toEqual({});
    await harness.billing.verifyLedger({}, callAs(owner));
    expect(await valuesOf('tollgate_ledger_verify_differences')).toEqual({ '': 0 });
    await harness.database.pool.query('UPDATE accounts SET credits = credits + 1 WHERE owner_account_id = $1', [
      owner.accountId,
    ]);
    const { differences } = await harness.billing.verifyLedger({}, callAs(owner));
    expect(differences.length).toBeGreaterThan(0);
    await harness.billing.verifyLedger({}, callAs(ownerPrincipal()));
    expect(await valuesOf('tollgate_ledger_verify_differences')).toEqual({ '': differences.length });
    expect((await valuesOf('tollgate_ledger_verified_timestamp_seconds'))['']).toBeGreaterThan(1_700_000_000);
  });

  it('reads open holds through their partial index', async () => {
    await harness.database.pool.query('SET enable_seqscan = off');
    const { rows } = await harness.database.pool.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${OPEN_HOLD_TOTALS}`);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('Index Scan using holds_open_expires_at_idx');
    expect(plan).not.toContain('Sort');
  });
});
