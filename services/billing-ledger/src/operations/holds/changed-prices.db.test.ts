// A hold settles at the prices at which it was placed, even if the catalog has changed.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type BillingClient, callAs, type LedgerHarness, startLedgerHarness } from '../../testing/ledger-harness.js';
import { askToAdmit, CENT, createPricedCustomer } from '../../testing/priced-customer.js';

const MODEL = 'claude-sonnet-5';
/** 200 cents in and 1,000 out when the hold is placed. */
const ASK = { model: MODEL, inputTokensEstimate: 1_000n, maxOutputTokens: 10 };

let folder: string;
let harness: LedgerHarness;
let billing: BillingClient;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-catalog-'));
  harness = await startLedgerHarness('changed_prices');
  billing = harness.billing;
});
afterAll(async () => {
  await harness.stop();
  rmSync(folder, { recursive: true });
});

/** Starts a replica whose catalog has another entry for the model. */
function startWith(entry: object): Promise<BillingClient> {
  const file = join(folder, `${harness.database.schema}-${JSON.stringify(entry).length}.json`);
  writeFileSync(file, JSON.stringify([{ model_id: MODEL, ...entry }]));
  return harness.replica({ MODEL_CATALOG_FILE: file });
}

function createPayer() {
  const model = { modelId: MODEL, inputPricePerMillionCents: 300n, outputPricePerMillionCents: 2_000n };
  return createPricedCustomer(billing, { model, ownerMicrocents: 100n * CENT });
}

describe('a hold that is open when the catalog changes', () => {
  it.each([
    ['a higher price', { input_cost_per_million_cents: 9_999, output_cost_per_million_cents: 9_999 }],
    ['a lower price', { input_cost_per_million_cents: 1, output_cost_per_million_cents: 1 }],
    ['no model any more', { retired: { use: 'claude-sonnet-5-5' } }],
  ])('settles at its own prices with %s', async (_, entry) => {
    const { owner, customer } = await createPayer();
    const { holdId } = await askToAdmit(billing, customer, ASK);
    const after = await startWith(entry);
    const usage = { inputTokens: 1_000n, outputTokens: 10n };
    const result = await after.settle({ holdId, usage }, callAs(customer));
    expect(result).toMatchObject({
      ownerMicrocents: 1_000n * 200n + 10n * 1_000n,
      customerMicrocents: 1_000n * 300n + 10n * 2_000n,
    });
    const { differences } = await after.verifyLedger({}, callAs(owner));
    expect(differences).toEqual([]);
  });

  it('repeats its own price after it was settled', async () => {
    const { customer } = await createPayer();
    const { holdId } = await askToAdmit(billing, customer, ASK);
    const usage = { inputTokens: 1_000n, outputTokens: 10n };
    const settled = await billing.settle({ holdId, usage }, callAs(customer));
    const after = await startWith({ input_cost_per_million_cents: 77, output_cost_per_million_cents: 77 });
    expect(await after.settle({ holdId, usage }, callAs(customer))).toMatchObject({
      ownerMicrocents: settled.ownerMicrocents,
      customerMicrocents: settled.customerMicrocents,
    });
  });

  it('refuses new holds on a retired model', async () => {
    const { customer } = await createPayer();
    const after = await startWith({ retired: { use: 'claude-sonnet-5-5' }, deprecated: true });
    const { decision } = await askToAdmit(after, customer, ASK);
    expect(decision).toMatchObject({ case: 'refused', value: { code: 'INVALID_INPUT' } });
  });
});
