// Vendors’ own tools have prices of their own, independent of the tier’s token prices.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { eventTypes } from '@tollgate/events';
import { type BillingClient, callAs, type LedgerHarness, startLedgerHarness } from '../../testing/ledger-harness.js';
import { askToAdmit, createPricedCustomer, type PricedCustomer } from '../../testing/priced-customer.js';

/** 1.4 cents a search; 75 cents per million tokens of input and 375 of output. */
const MODEL = 'gemini-3.8-flash';
const SEARCH = 1_400_000n;
const ASK = { model: MODEL, inputTokensEstimate: 100n, maxOutputTokens: 10, extras: { searches: 5 } };
const USAGE = { inputTokens: 100n, outputTokens: 10n, feeMicrocents: 2n * SEARCH };

let harness: LedgerHarness;
let billing: BillingClient;

beforeAll(async () => {
  harness = await startLedgerHarness('tool_fees');
  billing = harness.billing;
});
afterAll(() => harness.stop());

/** Creates a customer on a tier that charges `factor` times the catalog's prices for tokens. */
function createPayer({ factor = 1n, ...more }: { factor?: bigint } & Omit<PricedCustomer, 'model'> = {}) {
  const prices = { inputPricePerMillionCents: 75n * factor, outputPricePerMillionCents: 375n * factor };
  return createPricedCustomer(billing, { model: { modelId: MODEL, ...prices }, ...more });
}

const admit = (customer: Principal, values: object = {}) => askToAdmit(billing, customer, { ...ASK, ...values });

const tokens = (factor: bigint) => (100n * 75n + 10n * 375n) * factor;

describe('fees of searches', () => {
  it.each([2n, 10n, 0n])('charges two searches alike on a tier of %d times the price of tokens', async (factor) => {
    const { owner, customer } = await createPayer({ factor });
    const { holdId, decision } = await admit(customer);
    const held = tokens(factor) + tokens(1n) + 2n * 5n * SEARCH;
    expect(decision).toMatchObject({ case: 'admitted', value: { heldMicrocents: held } });
    const result = await billing.settle({ holdId, usage: USAGE }, callAs(customer));
    expect(result).toMatchObject({
      customerMicrocents: tokens(factor) + 2n * SEARCH,
      ownerMicrocents: tokens(1n) + 2n * SEARCH,
      overrunMicrocents: 0n,
    });
    const { differences } = await billing.verifyLedger({}, callAs(owner));
    expect(differences).toEqual([]);
  });

  it('adds the markup, which the models of a tier keep', async () => {
    const { owner, customer } = await createPayer({ factor: 2n, markupPercentage: 50 });
    const { tiers } = await billing.listTiers({}, callAs(owner));
    expect(tiers[0]?.models).toMatchObject([{ feeMarkupPercentage: 50 }]);
    const values = { models: [{ modelId: MODEL }], markupPercentage: 80 };
    await billing.updateTier({ id: tiers[0]?.id ?? '', values, updateMask: ['models'] }, callAs(owner));
    const { holdId, decision } = await admit(customer);
    const held = tokens(2n) + tokens(1n) + 5n * SEARCH + (5n * SEARCH * 3n) / 2n;
    expect(decision).toMatchObject({ case: 'admitted', value: { heldMicrocents: held } });
    const result = await billing.settle({ holdId, usage: USAGE }, callAs(customer));
    expect(result).toMatchObject({
      customerMicrocents: tokens(2n) + 3n * SEARCH,
      ownerMicrocents: tokens(1n) + 2n * SEARCH,
    });
  });

  it('adds the markup that a tier names for a model', async () => {
    const { owner, customer } = await createPayer({ factor: 0n });
    const { tiers } = await billing.listTiers({}, callAs(owner));
    const values = { models: [{ modelId: MODEL, feeMarkupPercentage: 12.5 }] };
    await billing.updateTier({ id: tiers[0]?.id ?? '', values, updateMask: ['models'] }, callAs(owner));
    const { holdId } = await admit(customer);
    const result = await billing.settle({ holdId, usage: USAGE }, callAs(customer));
    expect(result.customerMicrocents).toBe((2n * SEARCH * 9n) / 8n);
  });

  it('lists fees as a line of their own in the statements of project and account, and in no count of tokens', async () => {
    const { owner, customer } = await createPayer({ factor: 0n, markupPercentage: 50 });
    const { holdId } = await admit(customer);
    await billing.settle({ holdId, usage: USAGE }, callAs(customer));
    const { months } = await billing.listStatements({}, callAs(owner));
    const month = months[0]?.month ?? '';
    const project = await billing.getStatement({ month }, callAs(owner));
    expect(project.lines).toContainEqual(
      expect.objectContaining({ kind: 'tool_fee', modelId: MODEL, amountMicrocents: -3n * SEARCH }),
    );
    const account = await billing.getAccountStatement({ month }, callAs(owner));
    expect(account.lines).toContainEqual(
      expect.objectContaining({ kind: 'tool_fee', modelId: MODEL, amountMicrocents: -2n * SEARCH }),
    );
    const [event] = await harness.events(eventTypes.usageRecorded, owner.projectId);
    expect(event?.usage).toMatchObject({ inputTokens: 100n, feeMicrocents: 0n });
  });
});

describe('a hold', () => {
  it('rejects a request when funds cover the tokens and not the fees', async () => {
    const { customer } = await createPayer({ factor: 0n, walletMicrocents: 5n * SEARCH - 1n });
    const { decision } = await admit(customer);
    expect(decision).toMatchObject({ case: 'refused', value: { code: 'WALLET_EMPTY' } });
    expect((await admit(customer, { extras: { searches: 4 } })).decision.case).toBe('admitted');
  });

  it('adds the fees of a further model call', async () => {
    const { customer } = await createPayer({ factor: 0n });
    const { holdId, decision } = await admit(customer);
    const extension = { holdId, extension: 1, inputTokensEstimate: 100n, maxOutputTokens: 10 };
    const extras = { searches: 2 };
    const extended = await harness.holds.extendHold({ ...extension, extras }, callAs(customer));
    const first = decision.case === 'admitted' ? decision.value.heldMicrocents : 0n;
    const more = tokens(1n) + 2n * 2n * SEARCH;
    expect(extended.decision).toMatchObject({ case: 'admitted', value: { heldMicrocents: first + more } });
    const usage = { inputTokens: 200n, outputTokens: 20n, feeMicrocents: 7n * SEARCH };
    const result = await billing.settle({ holdId, usage }, callAs(customer));
    expect(result).toMatchObject({ customerMicrocents: 7n * SEARCH, overrunMicrocents: 0n });
  });

  it.each([-1, 1_001])('rejects %d searches', async (searches) => {
    const { customer } = await createPayer();
    await expect(admit(customer, { extras: { searches } })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});

it.each([-1n, 2_000_000_000_000_000n])('replaces a fee of %d microcents by the held one', async (feeMicrocents) => {
  const { customer } = await createPayer({ factor: 0n });
  const { holdId } = await admit(customer);
  const result = await billing.settle({ holdId, usage: { ...USAGE, feeMicrocents } }, callAs(customer));
  expect(result.customerMicrocents).toBe(5n * SEARCH);
});
