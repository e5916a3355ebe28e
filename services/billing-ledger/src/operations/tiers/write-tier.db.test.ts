import { randomUUID } from 'node:crypto';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CreateTierRequestSchema } from '@tollgate/contracts/billing/v1/billing_pb.js';
import {
  type BillingClient,
  callAs,
  customerOn,
  ECHO,
  type LedgerHarness,
  ownerPrincipal,
  startLedgerHarness,
} from '../../testing/ledger-harness.js';

type TierValues = MessageInitShape<typeof CreateTierRequestSchema>;

let harness: LedgerHarness;
let billing: BillingClient;

beforeAll(async () => {
  harness = await startLedgerHarness('tiers');
  billing = harness.billing;
});
afterAll(() => harness.stop());

const owner = ownerPrincipal();
const MODELS = [{ modelId: ECHO }];
const PAID = { priceAmountCents: 500n };

const create = async (values: TierValues = {}, as = owner) => {
  const tierCode = `t${randomUUID()}`;
  return (await billing.createTier({ tierCode, displayName: 'Tier', models: MODELS, ...values }, callAs(as))).tier;
};
const update = async (id: string | undefined, values: TierValues, updateMask: string[], as = owner) =>
  (await billing.updateTier({ id: id ?? '', values, updateMask }, callAs(as))).tier;

describe('creating a tier', () => {
  it('takes absent prices from the catalog, per model and kind', async () => {
    const models = [
      { modelId: 'echo-1', inputPricePerMillionCents: 7n },
      { modelId: 'sandbox/image-1', isDefault: true },
    ];
    const tier = await create({ models });
    expect(tier?.models).toMatchObject([
      { modelId: ECHO, inputPricePerMillionCents: 7n, outputPricePerMillionCents: 300n, isDefault: false },
      { modelId: 'sandbox/image-1', pricePerImageCents: 4n, isDefault: true, deprecated: false },
    ]);
  });

  it('fills in the defaults of a paid tier', async () => {
    expect(await create(PAID)).toMatchObject({
      billingProvider: 'stripe',
      priceCurrency: 'usd',
      priceInterval: 'month',
    });
    expect(await create()).toMatchObject({ billingProvider: '', priceCurrency: '', priceInterval: '' });
  });

  it.each<[string, TierValues, string]>([
    ['a code with capitals', { tierCode: 'Pro' }, 'tier_code'],
    ['a code of 65 characters', { tierCode: 'p'.repeat(65) }, 'tier_code'],
    ['a code that begins with a digit', { tierCode: '1pro' }, 'tier_code'],
    ['no name', { displayName: '' }, 'display_name'],
    ['no models', { models: [] }, 'models'],
    ['an unknown model', { models: [{ modelId: 'no/such-model' }] }, 'models[0].model_id'],
    ['a model twice', { models: [{ modelId: ECHO }, { modelId: ECHO }] }, 'models[1].model_id'],
    ['a model twice, by its two names', { models: [{ modelId: ECHO }, { modelId: 'echo-1' }] }, 'models[1].model_id'],
    [
      'two default models',
      {
        models: [
          { modelId: ECHO, isDefault: true },
          { modelId: 'sandbox/image-1', isDefault: true },
        ],
      },
      'models',
    ],
    ['a negative price', { models: [{ modelId: ECHO, inputPricePerMillionCents: -1n }] }, 'models[0]'],
    ['an unknown billing mode', { billingMode: 'barter' }, 'billing_mode'],
    ['a negative limit', { spendLimitCents: -1n }, 'spend_limit_cents'],
    ['PAYGO with a limit', { billingMode: 'paygo', spendLimitCents: 1n }, 'spend_limit_cents'],
    ['PAYGO with a price', { billingMode: 'paygo', ...PAID }, 'price_amount_cents'],
    ['PAYGO with overage', { billingMode: 'paygo', overageEnabled: true }, 'overage_enabled'],
    ['a price of nothing', { priceAmountCents: 0n }, 'price_amount_cents'],
    ['an unknown interval', { ...PAID, priceInterval: 'week' }, 'price_interval'],
    ['an unknown currency', { ...PAID, priceCurrency: 'dollars' }, 'price_currency'],
    ['a price reference without a price', { billingPriceRef: 'price_1' }, 'billing_price_ref'],
    ['a trial without a price', { trialDays: 7 }, 'trial_days'],
    ['an interval without a price', { priceInterval: 'month' }, 'price_interval'],
    ['an unknown provider', { billingProvider: 'barter' }, 'billing_provider'],
    ['a trial of three years', { ...PAID, trialDays: 1_000 }, 'trial_days'],
    ['tokens that live for 31 days', { customerTokenMaxTtlSeconds: 2_678_400n }, 'customer_token_max_ttl_seconds'],
    ['a negative promo', { promoCreditsCents: -1n }, 'promo_credits_cents'],
    ['an unknown visibility', { visibility: 'secret' }, 'visibility'],
    ['21 features', { features: Array.from({ length: 21 }, (_, i) => `${i}`) }, 'features'],
    ['a feature of blanks', { features: ['Support', ' '] }, 'features[1]'],
    ['a group with capitals', { planGroup: 'Pro' }, 'group'],
    ['promotion codes without a price', { allowPromotionCodes: true }, 'allow_promotion_codes'],
    ['no rate', { rateLimitPerMinute: 0 }, 'rate_limit_per_minute'],
  ])('rejects %s and names the field', async (_, values, field) => {
    await expect(create(values)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      fields: expect.arrayContaining([expect.objectContaining({ field })]),
    });
  });

  it('offers a tier to every customer unless it says otherwise', async () => {
    expect(await create(PAID)).toMatchObject({ visibility: 'portal' });
    expect(await create()).toMatchObject({ visibility: 'portal' });
    const values = { visibility: 'link', sortOrder: 3, features: ['Support'], planGroup: 'pro' };
    const tier = await create({ ...PAID, ...values, allowPromotionCodes: true });
    expect(tier).toMatchObject({ ...values, allowPromotionCodes: true });
    expect(await update(tier?.id, { displayName: 'New' }, ['display_name'])).toMatchObject(values);
    const cleared = await update(tier?.id, {}, ['features', 'plan_group', 'price_amount_cents']);
    expect(cleared).toMatchObject({ features: [], planGroup: '', allowPromotionCodes: false });
  });

  it('reports all faults together', async () => {
    const faults = create({ displayName: '', models: [], spendLimitCents: -1n });
    await expect(faults).rejects.toMatchObject({ fields: { length: 3 } });
  });

  it('rejects a second tier with the same code in one project', async () => {
    await create({ tierCode: 'pro' });
    await expect(create({ tierCode: 'pro' })).rejects.toMatchObject({ code: 'CONFLICT' });
    await create({ tierCode: 'pro' }, ownerPrincipal());
  });
});

describe('updating a tier', () => {
  it('keeps fields outside of the mask and clears masked fields without a value', async () => {
    const tier = await create({ spendLimitCents: 5n, promoCreditsCents: 7n });
    expect(await update(tier?.id, { displayName: 'New' }, ['display_name'])).toMatchObject({
      displayName: 'New',
      spendLimitCents: 5n,
      promoCreditsCents: 7n,
      models: tier?.models.map(({ id, modelId }) => ({ id, modelId })),
    });
    const cleared = await update(tier?.id, {}, ['spend_limit_cents', 'promo_credits_cents']);
    expect(cleared).not.toHaveProperty('spendLimitCents');
    expect(cleared).not.toHaveProperty('promoCreditsCents');
  });

  it('clears the fields that belong to a cleared price', async () => {
    const tier = await create({ ...PAID, billingPriceRef: 'price_1', trialDays: 7 });
    const free = await update(tier?.id, {}, ['price_amount_cents']);
    expect(free).toMatchObject({ priceCurrency: '', priceInterval: '', billingPriceRef: '' });
    expect(free).not.toHaveProperty('priceAmountCents');
    expect(free).not.toHaveProperty('trialDays');
  });

  it('validates the resulting tier as a whole', async () => {
    const tier = await create({ spendLimitCents: 5n });
    await expect(update(tier?.id, { billingMode: 'paygo' }, ['billing_mode'])).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });

  it('loses no change of concurrent updates', async () => {
    const tier = await create();
    await Promise.all([
      update(tier?.id, { displayName: 'New' }, ['display_name']),
      update(tier?.id, { spendLimitCents: 9n }, ['spend_limit_cents']),
      update(tier?.id, { promoCreditsCents: 3n }, ['promo_credits_cents']),
      update(tier?.id, { rateLimitPerMinute: 77 }, ['rate_limit_per_minute']),
    ]);
    const { tier: after } = await billing.getTier({ by: { case: 'id', value: tier?.id ?? '' } }, callAs(owner));
    expect(after).toMatchObject({
      displayName: 'New',
      spendLimitCents: 9n,
      promoCreditsCents: 3n,
      rateLimitPerMinute: 77,
    });
  });

  it('answers NOT_FOUND for another project', async () => {
    const tier = await create();
    const stranger = ownerPrincipal();
    await expect(update(tier?.id, { displayName: 'x' }, ['display_name'], stranger)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await expect(billing.deleteTier({ id: tier?.id ?? '' }, callAs(stranger))).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});

describe('the default tier', () => {
  const defaults = async (as: typeof owner) =>
    (await billing.listTiers({}, callAs(as))).tiers.filter((tier) => tier.isDefault).map((tier) => tier.id);

  it('stays one when several tiers become it concurrently', async () => {
    const mine = ownerPrincipal();
    const other = await harness.replica();
    const tiers = await Promise.all(Array.from({ length: 8 }, () => create({}, mine)));
    await Promise.all(
      tiers.map((tier, i) =>
        (i % 2 ? other : billing).updateTier(
          { id: tier?.id ?? '', values: { isDefault: true }, updateMask: ['is_default'] },
          callAs(mine),
        ),
      ),
    );
    expect(await defaults(mine)).toHaveLength(1);
    const late = await create({ isDefault: true }, mine);
    expect(await defaults(mine)).toEqual([late?.id]);
  });

  it('rejects its deletion and clearing its default flag', async () => {
    const mine = ownerPrincipal();
    const tier = await create({ isDefault: true }, mine);
    await expect(billing.deleteTier({ id: tier?.id ?? '' }, callAs(mine))).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(update(tier?.id, { isDefault: false }, ['is_default'], mine)).rejects.toMatchObject({
      code: 'CONFLICT',
    });
  });
});

describe('deleting a tier', () => {
  it('rejects a tier with subscriptions', async () => {
    const mine = ownerPrincipal();
    const { id } = await customerOn(billing, mine, { tierCode: 'used' });
    const { tier } = await billing.getTier({ by: { case: 'tierCode', value: 'used' } }, callAs(mine));
    await expect(billing.deleteTier({ id: tier?.id ?? '' }, callAs(mine))).rejects.toMatchObject({ code: 'CONFLICT' });
    await billing.deleteCustomer({ id }, callAs(mine));
    await billing.deleteTier({ id: tier?.id ?? '' }, callAs(mine));
    await expect(billing.getTier({ by: { case: 'id', value: tier?.id ?? '' } }, callAs(mine))).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it.each(['getTier', 'deleteTier'] as const)('rejects an id that is not a UUID: %s', async (call) => {
    const asking =
      call === 'getTier'
        ? billing.getTier({ by: { case: 'id', value: 'pro' } }, callAs(owner))
        : billing.deleteTier({ id: 'pro' }, callAs(owner));
    await expect(asking).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});
