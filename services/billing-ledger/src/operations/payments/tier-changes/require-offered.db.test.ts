import { describe, expect, it } from '@jest/globals';
import { type Principal, PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import { callAs, ECHO } from '../../../testing/ledger-harness.js';
import { buy, makeCustomer } from '../../../testing/payments-harness.js';
import { subscriptionActions, usePayments } from '../../../testing/use-payments.js';

const harness = usePayments('require_offered');
const { project, changeTier, checkout } = subscriptionActions(harness);

const asCustomer = (owner: Principal, customerId: string): Principal => ({
  ...owner,
  kind: PrincipalKind.CUSTOMER,
  customerId,
});

async function makePaidTier(owner: Principal, tierCode: string, visibility: string): Promise<void> {
  const values = { tierCode, displayName: tierCode, models: [{ modelId: ECHO, isDefault: true }] };
  await harness.billing.createTier({ ...values, priceAmountCents: 4_000n, visibility }, callAs(owner));
}

const REFUSED = { status: 409, message: expect.stringContaining('is not offered') };

describe('a private tier', () => {
  it('refuses a checkout and a change by the customer, and lets the owner sell it', async () => {
    const owner = await project();
    await makePaidTier(owner, 'enterprise', 'private');
    const [buyer, subscriber] = [
      await makeCustomer(harness, owner, 'free'),
      await makeCustomer(harness, owner, 'free'),
    ];
    await expect(checkout(asCustomer(owner, buyer), buyer, 'enterprise')).rejects.toMatchObject(REFUSED);
    await buy(harness, owner, subscriber, 'pro');
    const customer = asCustomer(owner, subscriber);
    await expect(changeTier(customer, subscriber, 'enterprise')).rejects.toMatchObject(REFUSED);
    const preview = { customerId: subscriber, tierCode: 'enterprise' };
    await expect(harness.payments.previewTierChange(preview, callAs(customer))).rejects.toMatchObject(REFUSED);
    await changeTier(owner, subscriber, 'enterprise');
    expect((await checkout(owner, buyer, 'enterprise')).url).toContain('/pay/');
    expect(await changeTier(customer, subscriber, 'enterprise')).toMatchObject({ action: 'unchanged' });
  });

  it('lets a customer return to the default tier', async () => {
    const owner = await project();
    const free = await harness.billing.getTier({ by: { case: 'tierCode', value: 'free' } }, callAs(owner));
    const hidden = { values: { visibility: 'private' }, updateMask: ['visibility'] };
    await harness.billing.updateTier({ id: free.tier?.id ?? '', ...hidden }, callAs(owner));
    const id = await makeCustomer(harness, owner, 'free');
    await buy(harness, owner, id, 'pro');
    expect(await changeTier(asCustomer(owner, id), id, 'free')).toMatchObject({ action: 'scheduled_cancellation' });
  });
});

it('lets a customer who knows it buy a tier of a link', async () => {
  const owner = await project();
  await makePaidTier(owner, 'launch', 'link');
  const id = await makeCustomer(harness, owner, 'free');
  expect((await checkout(asCustomer(owner, id), id, 'launch')).url).toContain('/pay/');
});

it('lists what is offered to every customer, and the customer’s own tier, by their order', async () => {
  const owner = await project();
  await makePaidTier(owner, 'enterprise', 'private');
  await makePaidTier(owner, 'launch', 'link');
  const { tiers } = await harness.billing.listTiers({}, callAs(owner));
  const max = tiers.find(({ tierCode }) => tierCode === 'max');
  const first = { values: { sortOrder: -1 }, updateMask: ['sort_order'] };
  await harness.billing.updateTier({ id: max?.id ?? '', ...first }, callAs(owner));
  const list = async (customerId: string) =>
    (await harness.billing.listTiers({ offeredOnly: true, customerId }, callAs(owner))).tiers.map(
      (tier) => tier.tierCode,
    );
  const others = tiers
    .map(({ tierCode }) => tierCode)
    .filter((code) => !['max', 'enterprise', 'launch'].includes(code));
  expect(await list('')).toEqual(['max', ...others]);
  const id = await makeCustomer(harness, owner, 'free');
  await buy(harness, owner, id, 'pro');
  await changeTier(owner, id, 'enterprise');
  expect(new Set(await list(id))).toEqual(new Set(['max', 'enterprise', ...others]));
});

it('offers promotion codes on the page of a tier that has them', async () => {
  const owner = await project();
  const values = { tierCode: 'promoted', displayName: 'x', models: [{ modelId: ECHO }], priceAmountCents: 4_000n };
  await harness.billing.createTier({ ...values, allowPromotionCodes: true }, callAs(owner));
  await checkout(owner, '', 'promoted');
  await checkout(owner, '', 'pro');
  const sessions = harness.processor.requests().filter(({ path }) => path === '/v1/checkout/sessions');
  const asked = sessions.slice(-2).map(({ body }) => new URLSearchParams(body).get('allow_promotion_codes'));
  expect(asked).toEqual(['true', null]);
});
