import type { MessageInitShape } from '@bufbuild/protobuf';
import { describe, expect, it } from '@jest/globals';
import type { CreateTierRequestSchema, Tier } from '@tollgate/contracts/billing/v1/billing_pb.js';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { waitUntil } from '@tollgate/testkit';
import { callAs, ECHO, ownerPrincipal } from '../../../testing/ledger-harness.js';
import { buy, findSubscription, makeCustomer, makeTier, URLS } from '../../../testing/payments-harness.js';
import { usePayments } from '../../../testing/use-payments.js';

type TierValues = MessageInitShape<typeof CreateTierRequestSchema>;

const harness = usePayments('send_tier_price');
const MODELS = [{ modelId: ECHO, isDefault: true }];

async function create(owner: Principal, values: TierValues = {}): Promise<Tier> {
  const paid = { tierCode: 'pro', displayName: 'Pro', models: MODELS, priceAmountCents: 2_000n };
  return (await harness.billing.createTier({ ...paid, ...values }, callAs(owner))).tier as Tier;
}

async function update(owner: Principal, { id }: Tier, values: TierValues): Promise<Tier> {
  const updateMask = Object.keys(values).map((name) => name.replaceAll(/[A-Z]/g, (at) => `_${at.toLowerCase()}`));
  return (await harness.billing.updateTier({ id, values, updateMask }, callAs(owner))).tier as Tier;
}

async function read(owner: Principal, { id }: Tier): Promise<Tier> {
  return (await harness.billing.getTier({ by: { case: 'id', value: id } }, callAs(owner))).tier as Tier;
}

const checkout = (owner: Principal, customerId: string, tierCode = 'pro') =>
  harness.payments.createCheckout({ customerId, tier: { case: 'tierCode', value: tierCode }, ...URLS }, callAs(owner));

const findPrices = ({ id }: Tier) =>
  harness.processor.store.all('price').filter(({ metadata }) => metadata.tier_id === id);

/** Makes the first price of a tier at the processor, as an attempt whose answer was lost. */
async function makeFirstPrice({ id }: Tier): Promise<string> {
  const product = `tollgate_tier_${id}`;
  const terms = { currency: 'usd', unit_amount: 2_000, recurring: { interval: 'month' as const } };
  return (await harness.stripe.prices.create({ ...terms, product, lookup_key: `${product}_v1` })).id;
}

/** Advances the clock until the worker has sent the tier. */
async function untilSynced(owner: Principal, tier: Tier): Promise<Tier> {
  await waitUntil(
    async () => {
      harness.clock.advance({ minutes: 1 });
      return (await read(owner, tier)).priceSync === 'ready';
    },
    { what: 'the price' },
  );
  return read(owner, tier);
}

describe('a tier that names no price', () => {
  it('has its product and price at the processor, and can be bought', async () => {
    const owner = ownerPrincipal();
    await makeTier(harness, owner, { tierCode: 'free', isDefault: true });
    const tier = await create(owner, { priceInterval: 'year', priceCurrency: 'eur' });
    expect(tier).toMatchObject({ priceSync: 'ready', priceSyncFailure: '' });
    const price = await harness.stripe.prices.retrieve(tier.billingPriceRef);
    expect(price).toMatchObject({ unit_amount: 2_000, currency: 'eur', recurring: { interval: 'year' } });
    expect(harness.processor.store.get('product', String(price.product))).toMatchObject({ name: 'Pro' });
    const id = await makeCustomer(harness, owner, 'free');
    await buy(harness, owner, id, 'pro');
    expect(await findSubscription(harness, owner, id)).toMatchObject({ tierCode: 'pro', subscriptionStatus: 'active' });
  });

  it('gets its price when the processor is available again, once', async () => {
    const owner = ownerPrincipal();
    harness.processor.faults.cut(/POST \/v1\/prices$/, 'after', 2);
    const tier = await create(owner);
    expect(tier).toMatchObject({
      billingPriceRef: '',
      priceSync: 'pending',
      priceSyncFailure: 'the payment processor is unavailable',
    });
    await expect(checkout(owner, await makeCustomer(harness, owner))).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining('its price is being made'),
    });
    const ready = await untilSynced(owner, tier);
    expect(findPrices(tier).map(({ id }) => id)).toEqual([ready.billingPriceRef]);
    await checkout(owner, await makeCustomer(harness, owner));
  });

  it('makes no second price when several attempts lost their answer', async () => {
    const owner = ownerPrincipal();
    harness.processor.faults.cut(/POST \/v1\/prices$/, 'after', 4);
    const ready = await untilSynced(owner, await create(owner));
    expect(findPrices(ready)).toHaveLength(1);
  });

  it('gets its price after an error of the processor, which keeps that answer for the idempotency key', async () => {
    const owner = ownerPrincipal();
    harness.processor.faults.fail(/POST \/v1\/prices$/);
    const tier = await create(owner);
    expect(tier).toMatchObject({ priceSync: 'pending', priceSyncFailure: 'the payment processor is unavailable' });
    const ready = await untilSynced(owner, tier);
    expect(findPrices(ready)).toHaveLength(1);
  });

  it('finds the price of a lost answer when the tier is saved again after the idempotency key has expired', async () => {
    const owner = ownerPrincipal();
    harness.processor.faults.cut(/POST \/v1\/prices$/, 'before', 2);
    const tier = await create(owner);
    const id = await makeFirstPrice(tier);
    const saved = await update(owner, tier, { priceAmountCents: 2_000n });
    expect(saved).toMatchObject({ priceSync: 'ready', billingPriceRef: id });
  });

  it('makes the product once when its first answer is lost', async () => {
    const owner = ownerPrincipal();
    harness.processor.faults.cut(/POST \/v1\/products$/, 'after', 2);
    const ready = await untilSynced(owner, await create(owner));
    const products = harness.processor.store.all('product').filter(({ metadata }) => metadata.tier_id === ready.id);
    expect(products).toHaveLength(1);
  });

  it('shows why the processor refuses its price, and tries again when it is saved', async () => {
    const owner = ownerPrincipal();
    harness.processor.faults.refuse(/POST \/v1\/prices$/, 'Amount must be no more than $999,999.99');
    const tier = await create(owner);
    expect(tier).toMatchObject({ priceSync: 'failed', priceSyncFailure: 'Amount must be no more than $999,999.99' });
    await expect(checkout(owner, await makeCustomer(harness, owner))).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining('no more than $999,999.99'),
    });
    expect(await update(owner, tier, { displayName: 'Pro' })).toMatchObject({
      priceSync: 'ready',
      priceSyncFailure: '',
    });
  });

  it('gets another price for another amount; subscriptions keep theirs', async () => {
    const owner = ownerPrincipal();
    await makeTier(harness, owner, { tierCode: 'free', isDefault: true });
    const tier = await create(owner);
    const [early, late] = [await makeCustomer(harness, owner, 'free'), await makeCustomer(harness, owner, 'free')];
    await buy(harness, owner, early, 'pro');
    const dearer = await update(owner, tier, { priceAmountCents: 2_500n, billingPriceRef: tier.billingPriceRef });
    expect(dearer).toMatchObject({ priceAmountCents: 2_500n, priceSync: 'ready' });
    expect(dearer.billingPriceRef).not.toBe(tier.billingPriceRef);
    await buy(harness, owner, late, 'pro');
    expect(await findSubscription(harness, owner, early)).toMatchObject({ tierCode: 'pro', priceAmountCents: 2_000n });
    expect(await findSubscription(harness, owner, late)).toMatchObject({ tierCode: 'pro', priceAmountCents: 2_500n });
  });

  it('gets the price of its last terms when they change while another price is made', async () => {
    const owner = ownerPrincipal();
    const { faults } = harness.processor;
    const making = faults.pause(/POST \/v1\/prices$/);
    const creating = create(owner);
    await making.reached;
    const [tier] = (await harness.billing.listTiers({}, callAs(owner))).tiers as [Tier];
    faults.cut(/POST \/v1\/prices$/, 'before', 2);
    await update(owner, tier, { priceAmountCents: 2_500n });
    making.release();
    expect(await creating).toMatchObject({ priceSync: 'pending', billingPriceRef: '' });
    const { billingPriceRef } = await untilSynced(owner, tier);
    expect(await harness.stripe.prices.retrieve(billingPriceRef)).toMatchObject({ unit_amount: 2_500 });
  });

  it('takes the price that another attempt has made at the same time', async () => {
    const owner = ownerPrincipal();
    const { faults } = harness.processor;
    faults.cut(/POST \/v1\/prices$/, 'before', 2);
    const tier = await create(owner);
    const looking = faults.pause(/GET \/v1\/prices$/);
    const saving = update(owner, tier, { priceAmountCents: 2_000n });
    await looking.reached;
    const id = await makeFirstPrice(tier);
    looking.release();
    expect(await saving).toMatchObject({ priceSync: 'ready', billingPriceRef: id });
  });

  it('stays due while the processor refuses the key of the installation', async () => {
    const owner = ownerPrincipal();
    const { billing } = await harness.replica({ STRIPE_SECRET_KEY: 'revoked' });
    const paid = { tierCode: 'pro', displayName: 'Pro', models: MODELS, priceAmountCents: 2_000n };
    const { tier } = await billing.createTier(paid, callAs(owner));
    const priceSyncFailure = 'the payment processor refuses the configured key';
    expect(tier).toMatchObject({ priceSync: 'pending', priceSyncFailure });
    await untilSynced(owner, tier as Tier);
  });

  it('gives its new name to the processor', async () => {
    const owner = ownerPrincipal();
    const tier = await create(owner);
    await update(owner, tier, { displayName: 'Plus' });
    expect(harness.processor.store.get('product', `tollgate_tier_${tier.id}`)).toMatchObject({ name: 'Plus' });
    expect((await read(owner, tier)).billingPriceRef).toBe(tier.billingPriceRef);
  });

  it('gives its new name to the processor later, even if the tier was saved again', async () => {
    const owner = ownerPrincipal();
    const tier = await create(owner);
    harness.processor.faults.cut(/POST \/v1\/products\/.+/, 'before', 2);
    await update(owner, tier, { displayName: 'Plus' });
    await update(owner, tier, { sortOrder: 1 });
    await waitUntil(
      async () => {
        harness.clock.advance({ minutes: 1 });
        return harness.processor.store.get('product', `tollgate_tier_${tier.id}`)?.name === 'Plus';
      },
      { what: 'the new name' },
    );
  });

  it('gives its last name to the processor when it changes while another name is sent', async () => {
    const owner = ownerPrincipal();
    const tier = await create(owner);
    const { faults, store } = harness.processor;
    const sending = faults.pause(/POST \/v1\/products\/.+/);
    const renaming = update(owner, tier, { displayName: 'Plus' });
    await sending.reached;
    faults.cut(/POST \/v1\/products\/.+/, 'before', 2);
    await update(owner, tier, { displayName: 'Max' });
    sending.release();
    await renaming;
    await waitUntil(
      async () => {
        harness.clock.advance({ minutes: 1 });
        return store.get('product', `tollgate_tier_${tier.id}`)?.name === 'Max';
      },
      { what: 'the last name' },
    );
  });

  it('makes another product when the processor has lost the first one', async () => {
    const owner = ownerPrincipal();
    const tier = await create(owner);
    await harness.ledger.database.pool.query("UPDATE tiers SET product_ref = 'prod_gone' WHERE id = $1", [tier.id]);
    expect(await update(owner, tier, { priceAmountCents: 2_500n })).toMatchObject({ priceSync: 'ready' });
  });

  it('gets another price when it is saved after the processor has archived or lost the first one', async () => {
    const owner = ownerPrincipal();
    const tier = await create(owner);
    await harness.stripe.prices.update(tier.billingPriceRef, { active: false });
    const again = await update(owner, tier, { priceAmountCents: 2_000n });
    expect([again.priceSync, again.billingPriceRef]).toEqual([
      'ready',
      expect.not.stringMatching(tier.billingPriceRef),
    ]);
    await checkout(owner, await makeCustomer(harness, owner));
    const { pool } = harness.ledger.database;
    await pool.query("UPDATE tiers SET billing_price_ref = 'price_gone' WHERE id = $1", [tier.id]);
    expect((await update(owner, tier, { displayName: 'Plus' })).billingPriceRef).toBe('price_gone');
    await update(owner, tier, { priceAmountCents: 2_000n });
    await checkout(owner, await makeCustomer(harness, owner));
  });

  it('keeps its price when it is saved while the processor is unavailable', async () => {
    const owner = ownerPrincipal();
    const tier = await create(owner);
    harness.processor.faults.cut(/GET \/v1\/prices\//, 'before', 2);
    const { billingPriceRef, priceSync } = await update(owner, tier, { priceAmountCents: 2_000n });
    expect([billingPriceRef, priceSync]).toEqual([tier.billingPriceRef, 'ready']);
  });

  it('needs no price when the owner bills it elsewhere', async () => {
    const owner = ownerPrincipal();
    const tier = await create(owner);
    const elsewhere = await update(owner, tier, { billingProvider: 'external' });
    expect(elsewhere).toMatchObject({ priceSync: '', billingPriceRef: '' });
    expect(await create(owner, { tierCode: 'partner', billingProvider: 'external' })).toMatchObject({ priceSync: '' });
  });
});

describe('a tier that names a price', () => {
  it('refuses a price that the processor does not know or has archived', async () => {
    const owner = ownerPrincipal();
    const refused = (message: string) => ({
      status: 400,
      fields: [{ field: 'billing_price_ref', message: expect.stringContaining(message) }],
    });
    await expect(create(owner, { billingPriceRef: 'price_gone' })).rejects.toMatchObject(refused('is unknown'));
    const price = await harness.stripe.prices.create({
      currency: 'usd',
      unit_amount: 2_000,
      recurring: { interval: 'month' },
      product_data: { name: 'Pro' },
    });
    const tier = await create(owner, { billingPriceRef: price.id });
    expect(tier).toMatchObject({ priceSync: '', billingPriceRef: price.id });
    await harness.stripe.prices.update(price.id, { active: false });
    await expect(create(owner, { tierCode: 'max', billingPriceRef: price.id })).rejects.toMatchObject(
      refused('archived'),
    );
    await expect(checkout(owner, await makeCustomer(harness, owner))).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining('archived'),
    });
  });
});
