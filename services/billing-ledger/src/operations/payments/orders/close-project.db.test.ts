import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { eventTypes } from '@tollgate/events';
import { waitUntil } from '@tollgate/testkit';
import { callAs, ownerPrincipal } from '../../../testing/ledger-harness.js';
import {
  buy,
  makeCustomer,
  makeTier,
  type PaymentsBench,
  startPaymentsBench,
  URLS,
} from '../../../testing/payments-harness.js';

let bench: PaymentsBench;
beforeAll(async () => {
  bench = await startPaymentsBench('close_project');
});
afterEach(() => bench.processor.notices.release());
afterAll(() => bench.stop());

const TIER = { case: 'tierCode' as const, value: 'pro' };

async function project(): Promise<Principal> {
  const owner = ownerPrincipal();
  await makeTier(bench, owner, { tierCode: 'free', isDefault: true });
  await makeTier(bench, owner, { tierCode: 'paygo', billingMode: 'paygo' });
  await makeTier(bench, owner, { tierCode: 'pro', priceCents: 2_000 });
  return owner;
}

const close = (owner: Principal) => bench.payments.closeProject({}, callAs(owner));
const until = (what: string, isSo: () => boolean) => waitUntil(isSo, { what, timeoutMs: 20_000 });

it('refuses with the count while customers have running subscriptions', async () => {
  const owner = await project();
  const ids = [await makeCustomer(bench, owner, 'free'), await makeCustomer(bench, owner, 'free')];
  const bought = await Promise.all(ids.map((id) => buy(bench, owner, id, 'pro')));
  await expect(close(owner)).rejects.toMatchObject({
    code: 'CONFLICT',
    status: 409,
    message: expect.stringContaining('2 running subscriptions'),
  });
  await close(await project());
  bench.processor.setSubscriptionStatus(bought[0] ?? '', 'canceled');
  await bench.settled();
  await expect(close(owner)).rejects.toMatchObject({ message: expect.stringContaining('1 running subscription of') });
  bench.processor.setSubscriptionStatus(bought[1] ?? '', 'canceled');
  await bench.settled();
  await close(owner);
});

it('refreshes subscriptions first: one that ended without a notice does not count', async () => {
  const owner = await project();
  const subscription = await buy(bench, owner, await makeCustomer(bench, owner, 'free'), 'pro');
  bench.processor.notices.hold();
  bench.processor.setSubscriptionStatus(subscription, 'canceled');
  await close(owner);
});

it('counts running subscriptions of deleted customers', async () => {
  const owner = await project();
  const id = await makeCustomer(bench, owner, 'free');
  await buy(bench, owner, id, 'pro');
  await bench.billing.deleteCustomer({ id }, callAs(owner));
  await expect(close(owner)).rejects.toMatchObject({ code: 'CONFLICT' });
});

it('expires open pages and refunds concurrent payments', async () => {
  const owner = await project();
  const id = await makeCustomer(bench, owner, 'free');
  const wallet = await makeCustomer(bench, owner, 'paygo');
  const open = await bench.payments.createCheckout({ customerId: id, tier: TIER, ...URLS }, callAs(owner));
  const anonymous = await bench.payments.createCheckout({ tier: TIER, ...URLS }, callAs(owner));
  const topUp = { customerId: wallet, creditAmountCents: 1_500n, ...URLS };
  const paid = (await bench.payments.createWalletTopUp(topUp, callAs(owner))).topUp?.sessionId ?? '';
  bench.processor.notices.hold();
  const { payment_intent: payment } = bench.processor.pay(paid);
  const subscription = bench.processor.pay(anonymous.sessionId).subscription ?? '';
  await close(owner);
  bench.processor.notices.release();
  const { store } = bench.processor;
  await until('an expired page', () => store.get('checkout.session', open.sessionId)?.status === 'expired');
  await until('a refund', () => store.all('refund').some((refund) => refund.payment_intent === payment));
  await until('the end of what was bought', () => store.get('subscription', subscription)?.status === 'canceled');
  await bench.settled();
  await waitUntil(async () => (await bench.ledger.events(eventTypes.paymentRefunded, owner.projectId)).length === 2, {
    what: 'both events',
    timeoutMs: 20_000,
  });
  const { customers } = await bench.billing.listCustomers({ limit: 10 }, callAs(owner));
  expect(customers).toHaveLength(2);
  const { balanceMicrocents } = await bench.billing.getCustomerBalance({ customerId: wallet }, callAs(owner));
  expect(balanceMicrocents).toBe(0n);
  expect((await bench.billing.verifyLedger({}, callAs(owner))).differences).toEqual([]);
});
