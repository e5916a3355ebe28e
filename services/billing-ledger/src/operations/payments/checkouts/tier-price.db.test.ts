import { randomUUID } from 'node:crypto';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CreateTierRequestSchema, Tier } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { callAs, ECHO, ownerPrincipal } from '../../../testing/ledger-harness.js';
import { makeCustomer, type PaymentsHarness, startPaymentsHarness, URLS } from '../../../testing/payments-harness.js';

type TierValues = MessageInitShape<typeof CreateTierRequestSchema>;

let harness: PaymentsHarness;
beforeAll(async () => {
  harness = await startPaymentsHarness('write_tier');
});
afterAll(() => harness.stop());

const owner = ownerPrincipal();
const IMAGE = 'sandbox/image-1';

async function create(values: TierValues): Promise<Tier | undefined> {
  const tier = { tierCode: `t${randomUUID()}`, displayName: 'Tier', models: [{ modelId: ECHO }], ...values };
  return (await harness.billing.createTier(tier, callAs(owner))).tier;
}

async function update(
  id: string | undefined,
  values: TierValues,
  updateMask = Object.keys(values),
): Promise<Tier | undefined> {
  const mask = updateMask.map((name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
  return (await harness.billing.updateTier({ id: id ?? '', values, updateMask: mask }, callAs(owner))).tier;
}

/** Returns the input, output and image price of each model. */
const toPrices = (tier: Tier | undefined) =>
  Object.fromEntries(
    (tier?.models ?? []).map((m) => [
      m.modelId,
      [m.inputPricePerMillionCents, m.outputPricePerMillionCents, m.pricePerImageCents],
    ]),
  );

describe('the markup of a project', () => {
  it.each<[number, bigint, bigint]>([
    [0, 100n, 300n],
    [12.5, 113n, 338n],
    [0.1, 101n, 301n],
    [33, 133n, 399n],
    [100, 200n, 600n],
  ])('adds %d %% to catalog prices of new models, rounded up to whole cents', async (markup, input, output) => {
    const tier = await create({ markupPercentage: markup });
    expect(toPrices(tier)[ECHO]).toEqual([input, output, undefined]);
  });

  it('applies to images and to each absent price', async () => {
    const models = [{ modelId: ECHO, inputPricePerMillionCents: 7n }, { modelId: IMAGE }];
    const tier = await create({ models, markupPercentage: 10 });
    expect(toPrices(tier)).toEqual({ [ECHO]: [7n, 330n, undefined], [IMAGE]: [0n, 0n, 5n] });
  });

  it('keeps the prices of existing models when it changes and applies to added ones', async () => {
    const tier = await create({ markupPercentage: 50 });
    const models = [{ modelId: ECHO, isDefault: true }, { modelId: IMAGE }];
    const after = await update(tier?.id, { models, markupPercentage: 100 }, ['models']);
    expect(toPrices(after)).toEqual({ [ECHO]: [150n, 450n, undefined], [IMAGE]: [0n, 0n, 8n] });
  });
});

describe('a tier with a price at the processor', () => {
  const createPrice = async (unit_amount: number, currency = 'usd', interval: 'month' | 'year' = 'month') => {
    const product_data = { name: 'a tier' };
    return (await harness.stripe.prices.create({ currency, unit_amount, recurring: { interval }, product_data })).id;
  };
  const paid = (billingPriceRef: string, values: TierValues = {}): TierValues => ({
    priceAmountCents: 2_000n,
    priceCurrency: 'usd',
    priceInterval: 'month',
    billingPriceRef,
    ...values,
  });

  it('accepts the tier when both prices match', async () => {
    expect(await create(paid(await createPrice(2_000)))).toMatchObject({ priceAmountCents: 2_000n });
  });

  it.each<[string, number, string, 'month' | 'year', string]>([
    ['amount', 2_500, 'usd', 'month', '2500 usd per month'],
    ['currency', 2_000, 'eur', 'month', '2000 eur per month'],
    ['interval', 2_000, 'usd', 'year', '2000 usd per year'],
  ])(
    'refuses the tier with 400 naming both prices when they differ in %s',
    async (_, amount, currency, interval, text) => {
      const ref = await createPrice(amount, currency, interval);
      const refusal = {
        code: 'VALIDATION_ERROR',
        status: 400,
        fields: [{ field: 'billing_price_ref', message: expect.stringMatching(`2000 usd per month.*${ref}.*${text}`) }],
      };
      await expect(create(paid(ref))).rejects.toMatchObject(refusal);
      const tier = await create(paid(await createPrice(2_000)));
      await expect(update(tier?.id, { billingPriceRef: ref })).rejects.toMatchObject(refusal);
      expect(await update(tier?.id, { displayName: 'New' })).toMatchObject({ displayName: 'New' });
    },
  );

  it('refuses an update that makes the tier’s price differ', async () => {
    const tier = await create(paid(await createPrice(2_000)));
    await expect(update(tier?.id, { priceAmountCents: 2_100n })).rejects.toMatchObject({ status: 400 });
  });

  it('compares the prices again at checkout: answers 409 naming both and opens no session', async () => {
    const tier = await create(paid(await createPrice(2_000)));
    const other = await createPrice(2_500);
    await harness.ledger.database.pool.query('UPDATE tiers SET billing_price_ref = $2 WHERE id = $1', [
      tier?.id,
      other,
    ]);
    const customerId = await makeCustomer(harness, owner);
    const opened = harness.processor.store.all('checkout.session').length;
    const checkout = harness.payments.createCheckout(
      { customerId, tier: { case: 'tierId', value: tier?.id ?? '' }, ...URLS },
      callAs(owner),
    );
    await expect(checkout).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringMatching(`2000 usd per month.*${other}.*2500 usd per month`),
    });
    expect(harness.processor.store.all('checkout.session')).toHaveLength(opened);
  });
});

describe('a tier that is deleted', () => {
  it('allows either the checkout or the deletion when both are requested concurrently', async () => {
    for (let round = 0; round < 10; round += 1) {
      const product_data = { name: 'a tier' };
      const recurring = { interval: 'month' as const };
      const price = await harness.stripe.prices.create({
        currency: 'usd',
        unit_amount: 2_000,
        recurring,
        product_data,
      });
      const tier = await create({ priceAmountCents: 2_000n, billingPriceRef: price.id });
      const id = tier?.id ?? '';
      const [opened, removed] = await Promise.allSettled([
        harness.payments.createCheckout({ tier: { case: 'tierId', value: id }, ...URLS }, callAs(owner)),
        harness.billing.deleteTier({ id }, callAs(owner)),
      ]);
      expect([opened.status, removed.status].sort()).toEqual(['fulfilled', 'rejected']);
    }
  });
});
