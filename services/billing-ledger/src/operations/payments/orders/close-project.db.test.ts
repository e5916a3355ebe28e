import { expect, it } from '@jest/globals';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { eventTypes } from '@tollgate/events';
import { waitUntil } from '@tollgate/testkit';
import { callAs, ownerPrincipal } from '../../../testing/ledger-harness.js';
import { buy, makeCustomer, makeTier, URLS } from '../../../testing/payments-harness.js';
import { usePayments } from '../../../testing/use-payments.js';

const harness = usePayments('close_project');

const TIER = { case: 'tierCode' as const, value: 'pro' };

async function project(): Promise<Principal> {
  const owner = ownerPrincipal();
  await makeTier(harness, owner, { tierCode: 'free', isDefault: true });
  await makeTier(harness, owner, { tierCode: 'paygo', billingMode: 'paygo' });
  await makeTier(harness, owner, { tierCode: 'pro', priceCents: 2_000 });
  return owner;
}

const close = (owner: Principal) => harness.payments.closeProject({}, callAs(owner));
const until = (what: string, isSo: () => boolean) => waitUntil(isSo, { what });

it('refuses with the count while customers have running subscriptions', async () => {
  const owner = await project();
  const ids = [await makeCustomer(harness, owner, 'free'), await makeCustomer(harness, owner, 'free')];
  const bought = await Promise.all(ids.map((id) => buy(harness, owner, id, 'pro')));
  await expect(close(owner)).rejects.toMatchObject({
    code: 'CONFLICT',
    status: 409,
    message: expect.stringContaining('2 running subscriptions'),
  });
  await close(await project());
  harness.processor.setSubscriptionStatus(bought[0] ?? '', 'canceled');
  await harness.settled();
  await expect(close(owner)).rejects.toMatchObject({ message: expect.stringContaining('1 running subscription of') });
  harness.processor.setSubscriptionStatus(bought[1] ?? '', 'canceled');
  await harness.settled();
  await close(owner);
});

it('refreshes subscriptions first, so that one with a lost end event does not count', async () => {
  const owner = await project();
  const subscription = await buy(harness, owner, await makeCustomer(harness, owner, 'free'), 'pro');
  harness.processor.webhooks.hold();
  harness.processor.setSubscriptionStatus(subscription, 'canceled');
  await close(owner);
});

it('counts running subscriptions of deleted customers', async () => {
  const owner = await project();
  const id = await makeCustomer(harness, owner, 'free');
  await buy(harness, owner, id, 'pro');
  await harness.billing.deleteCustomer({ id }, callAs(owner));
  await expect(close(owner)).rejects.toMatchObject({ code: 'CONFLICT' });
});

it('expires open pages and refunds concurrent payments', async () => {
  const owner = await project();
  const id = await makeCustomer(harness, owner, 'free');
  const wallet = await makeCustomer(harness, owner, 'paygo');
  const open = await harness.payments.createCheckout({ customerId: id, tier: TIER, ...URLS }, callAs(owner));
  const anonymous = await harness.payments.createCheckout({ tier: TIER, ...URLS }, callAs(owner));
  const topUp = { customerId: wallet, creditAmountCents: 1_500n, ...URLS };
  const paid = (await harness.payments.createWalletTopUp(topUp, callAs(owner))).topUp?.sessionId ?? '';
  harness.processor.webhooks.hold();
  const { payment_intent: payment } = harness.processor.pay(paid);
  const subscription = harness.processor.pay(anonymous.sessionId).subscription ?? '';
  await close(owner);
  harness.processor.webhooks.release();
  const { store } = harness.processor;
  await until('an expired page', () => store.get('checkout.session', open.sessionId)?.status === 'expired');
  await until('a refund', () => store.all('refund').some((refund) => refund.payment_intent === payment));
  await until('the end of what was bought', () => store.get('subscription', subscription)?.status === 'canceled');
  await harness.settled();
  await waitUntil(async () => (await harness.ledger.events(eventTypes.paymentRefunded, owner.projectId)).length === 2, {
    what: 'both events',
  });
  const { customers } = await harness.billing.listCustomers({ limit: 10 }, callAs(owner));
  expect(customers).toHaveLength(2);
  const { balanceMicrocents } = await harness.billing.getCustomerBalance({ customerId: wallet }, callAs(owner));
  expect(balanceMicrocents).toBe(0n);
  expect((await harness.billing.verifyLedger({}, callAs(owner))).differences).toEqual([]);
});
