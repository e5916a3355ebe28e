import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { waitUntil } from '@tollgate/testkit';
import { callAs, ownerPrincipal } from '../../testing/ledger-harness.js';
import { buy, findSubscription, makeTier, URLS } from '../../testing/payments-harness.js';
import { usePayments } from '../../testing/use-payments.js';

const harness = usePayments('trials');

async function project(): Promise<Principal> {
  const owner = ownerPrincipal();
  await makeTier(harness, owner, { tierCode: 'free', isDefault: true });
  await makeTier(harness, owner, { tierCode: 'trial', priceCents: 3_000, trialDays: 14 });
  return owner;
}

async function customer(owner: Principal, externalId: string): Promise<string> {
  const created = await harness.billing.createCustomer({ externalId, email: 'someone@example.com' }, callAs(owner));
  return created.envelope?.customer?.id ?? '';
}

const readStatus = async (owner: Principal, id: string) =>
  (await findSubscription(harness, owner, id))?.subscriptionStatus;

it('gives one trial per project and external id, even if the customer is deleted and created again', async () => {
  const owner = await project();
  const externalId = randomUUID();
  const first = await customer(owner, externalId);
  await buy(harness, owner, first, 'trial');
  expect(await readStatus(owner, first)).toBe('trialing');
  await harness.billing.deleteCustomer({ id: first, cancelSubscription: true }, callAs(owner));
  const second = await customer(owner, externalId);
  await buy(harness, owner, second, 'trial');
  expect(await readStatus(owner, second)).toBe('active');

  const elsewhere = await project();
  const same = await customer(elsewhere, externalId);
  await buy(harness, elsewhere, same, 'trial');
  expect(await readStatus(elsewhere, same)).toBe('trialing');
});

it('keeps the trial when the page expired unpaid', async () => {
  const owner = await project();
  const externalId = randomUUID();
  const first = await customer(owner, externalId);
  const tier = { case: 'tierCode' as const, value: 'trial' };
  await harness.payments.createCheckout({ customerId: first, tier, ...URLS }, callAs(owner));
  await harness.billing.deleteCustomer({ id: first }, callAs(owner));
  const second = await customer(owner, externalId);
  await buy(harness, owner, second, 'trial');
  expect(await readStatus(owner, second)).toBe('trialing');
});

it('ends a second trial from a page that was opened before the first trial started', async () => {
  const owner = await project();
  const id = await customer(owner, randomUUID());
  const tier = { case: 'tierCode' as const, value: 'trial' };
  const open = () => harness.payments.createCheckout({ customerId: id, tier, ...URLS }, callAs(owner));
  const [first, second] = [await open(), await open()];
  const trial = harness.processor.pay(first.sessionId).subscription ?? '';
  await harness.settled();
  harness.processor.setSubscriptionStatus(trial, 'canceled');
  await harness.settled();
  harness.clock.advance({ seconds: 2 });
  harness.processor.pay(second.sessionId);
  await harness.settled();
  await waitUntil(async () => (await readStatus(owner, id)) === 'active', {
    what: 'a paid subscription',
  });
  const paid = harness.processor.store.all('invoice').filter(({ amount_paid }) => amount_paid > 0);
  expect(paid.at(-1)).toMatchObject({ amount_paid: 3_000, billing_reason: 'subscription_update' });
});
