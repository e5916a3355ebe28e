// Owners pay exactly what the vendor charges; customers pay the spec's formula at their tier's prices.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { eventTypes } from '@tollgate/events';
import { type BillingClient, callAs, type LedgerHarness, startLedgerHarness } from '../../testing/ledger-harness.js';
import { askToAdmit, CENT, createPricedCustomer } from '../../testing/priced-customer.js';

/** 200 cents in, 1,000 out, 250 for writes to the cache of five minutes, 400 for an hour. */
const MODEL = 'claude-sonnet-5';
const ASK = { model: MODEL, inputTokensEstimate: 1_000n, maxOutputTokens: 10 };

let harness: LedgerHarness;
let billing: BillingClient;

beforeAll(async () => {
  harness = await startLedgerHarness('provider_cost');
  billing = harness.billing;
});
afterAll(() => harness.stop());

/** Creates a customer on a tier that charges 300 cents in and 2,000 out. */
function createPayer(prices: object = {}, ownerMicrocents = 100n * CENT) {
  const model = { modelId: MODEL, inputPricePerMillionCents: 300n, outputPricePerMillionCents: 2_000n, ...prices };
  return createPricedCustomer(billing, { model, ownerMicrocents });
}

const admit = (customer: Principal, values: object = {}) => askToAdmit(billing, customer, { ...ASK, ...values });
const asCustomer = (input: bigint, output = 10n) => input * 300n + output * 2_000n;

describe('a report with the charge of the provider', () => {
  it.each([
    ['cached reads', 30_000n],
    ['a prompt written to the cache', 260_000n],
  ])('charges the owner %s exactly, and the customer its own prices', async (_, providerMicrocents) => {
    const { owner, customer } = await createPayer();
    const { holdId } = await admit(customer);
    const usage = { inputTokens: 1_000n, outputTokens: 10n, providerMicrocents };
    const result = await billing.settle({ holdId, usage }, callAs(customer));
    expect(result).toMatchObject({
      customerMicrocents: asCustomer(1_000n),
      ownerMicrocents: providerMicrocents,
      overrunMicrocents: 0n,
    });
    const { differences } = await billing.verifyLedger({}, callAs(owner));
    expect(differences).toEqual([]);
    const [event] = await harness.events(eventTypes.usageRecorded, owner.projectId);
    expect(event).toMatchObject({ providerMicrocents, usage: { inputTokens: 1_000n } });
    expect(event?.usage?.providerMicrocents).toBeUndefined();
  });

  it.each([-1n, 2_000_000_000_000_000n])('replaces one of %d microcents by the price of the hold', async (charge) => {
    const { customer } = await createPayer();
    const { holdId } = await admit(customer);
    const usage = { inputTokens: 1_000n, outputTokens: 10n, providerMicrocents: charge };
    const result = await billing.settle({ holdId, usage }, callAs(customer));
    expect(result.ownerMicrocents).toBe(1_000n * 200n + 10n * 1_000n);
  });
});

describe('a hold', () => {
  it.each([
    [{}, 250n],
    [{ extras: { cachesForHour: true } }, 400n],
  ])('covers the dearest cache of %j', async (values, price) => {
    const { customer } = await createPayer();
    const { holdId, decision } = await admit(customer, values);
    const held = asCustomer(1_000n) + 1_000n * price + 10n * 1_000n;
    expect(decision).toMatchObject({ case: 'admitted', value: { heldMicrocents: held } });
    const providerMicrocents = 1_000n * price + 10n * 1_000n;
    const usage = { inputTokens: 1_000n, outputTokens: 10n, providerMicrocents };
    const result = await billing.settle({ holdId, usage }, callAs(customer));
    expect(result).toMatchObject({ ownerMicrocents: providerMicrocents, overrunMicrocents: 0n });
  });

  it('covers it for a further model call, and cuts the output to what is left of the funds', async () => {
    const { customer } = await createPayer({}, 1_000n * 250n + 10n * 1_000n + 100n * 400n + 3_000n);
    const { holdId } = await admit(customer);
    const extension = { holdId, extension: 1, inputTokensEstimate: 100n, extras: { cachesForHour: true } };
    const refused = await harness.holds.extendHold({ ...extension, maxOutputTokens: 4 }, callAs(customer));
    expect(refused.decision).toMatchObject({ case: 'refused', value: { code: 'PROVIDER_ACCOUNT_UNFUNDED' } });
    const extended = await harness.holds.extendHold({ ...extension, maxOutputTokens: 3 }, callAs(customer));
    expect(extended.decision.case).toBe('admitted');
  });
});

describe('a price of cached input', () => {
  it('applies to the input that the provider read from its cache', async () => {
    const { owner, customer } = await createPayer({ cachedInputPricePerMillionCents: 30n });
    const { tiers } = await billing.listTiers({}, callAs(owner));
    expect(tiers[0]?.models).toMatchObject([{ cachedInputPricePerMillionCents: 30n }]);
    const { holdId, decision } = await admit(customer);
    expect(decision).toMatchObject({ value: { customerPrice: { cachedInputPerMillionCents: 30n } } });
    const usage = { inputTokens: 1_000n, outputTokens: 10n, cacheReadInputTokens: 900n, providerMicrocents: 1n };
    const result = await billing.settle({ holdId, usage }, callAs(customer));
    expect(result.customerMicrocents).toBe(asCustomer(100n) + 900n * 30n);
  });

  it('uses the input price when a tier names none, and holds the higher price', async () => {
    const { customer } = await createPayer();
    const { holdId } = await admit(customer);
    const usage = { inputTokens: 1_000n, outputTokens: 10n, cacheReadInputTokens: 900n };
    const result = await billing.settle({ holdId, usage }, callAs(customer));
    expect(result.customerMicrocents).toBe(asCustomer(1_000n));
    const dear = await createPayer({ cachedInputPricePerMillionCents: 900n });
    const { decision } = await admit(dear.customer);
    const held = 1_000n * 900n + 10n * 2_000n + 1_000n * 250n + 10n * 1_000n;
    expect(decision).toMatchObject({ case: 'admitted', value: { heldMicrocents: held } });
  });
});
