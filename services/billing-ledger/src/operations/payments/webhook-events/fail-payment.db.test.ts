import { expect, it } from '@jest/globals';
import type { TopUp } from '@tollgate/contracts/billing/v1/payments_pb.js';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { eventTypes } from '@tollgate/events';
import { waitUntil } from '@tollgate/testkit';
import { notePayment } from '../../../store/payments/payment-orders.js';
import { finishUndo, undoOrder } from '../../../store/payments/undone-orders.js';
import { callAs, ownerPrincipal } from '../../../testing/ledger-harness.js';
import { makeCustomer, makeTier, URLS } from '../../../testing/payments-harness.js';
import { usePayments } from '../../../testing/use-payments.js';

const harness = usePayments('fail_payment');

interface Payer {
  owner: Principal;
  id: string;
  topUp: TopUp;
}

async function openTopUp(): Promise<Payer> {
  const owner = ownerPrincipal();
  await makeTier(harness, owner, { tierCode: 'paygo', billingMode: 'paygo' });
  const id = await makeCustomer(harness, owner, 'paygo');
  const req = { customerId: id, creditAmountCents: 1_500n, ...URLS };
  const { topUp } = await harness.payments.createWalletTopUp(req, callAs(owner));
  return { owner, id, topUp: topUp! };
}

const readPayment = async ({ owner, topUp }: Payer) =>
  (await harness.payments.getProjectPayment({ id: topUp.id }, callAs(owner))).payment;
const readBalance = async ({ owner, id }: Payer) =>
  (await harness.billing.getCustomerBalance({ customerId: id }, callAs(owner))).balanceMicrocents;
const readFailures = ({ owner }: Payer) => harness.ledger.events(eventTypes.paymentFailed, owner.projectId);

/** Pays an order in euros, which the processor's pages do not offer. Returns the payment's id. */
async function payInEuros({ topUp }: Payer): Promise<string> {
  const { id } = await harness.stripe.paymentIntents.create({
    amount: 1_380,
    currency: 'eur',
    payment_method: 'pm_card_visa',
    confirm: true,
    metadata: { tollgate_order: topUp.id },
  });
  return id;
}

it('records a payment in another currency with one event, credits nothing and accepts every webhook event', async () => {
  const payer = await openTopUp();
  harness.processor.webhooks.hold();
  await payInEuros(payer);
  const events = harness.processor.webhooks.waiting();
  const other = await harness.replica();
  await Promise.all(
    [...events, ...events].map((event, i) => harness.notify(event, i % 2 ? other.payments : undefined)),
  );
  expect(await readBalance(payer)).toBe(0n);
  expect(await readPayment(payer)).toMatchObject({ status: 'failed' });
  expect(await readFailures(payer)).toMatchObject([
    {
      customerId: payer.id,
      orderId: payer.topUp.id,
      purchase: 'wallet_topup',
      amountCents: 1_380n,
      currency: 'eur',
      reason: 'paid in eur instead of usd; not credited',
    },
  ]);
});

it('returns a payment in another currency for a deleted customer, in its currency', async () => {
  const payer = await openTopUp();
  harness.processor.webhooks.hold();
  const payment_intent = await payInEuros(payer);
  await harness.billing.deleteCustomer({ id: payer.id }, callAs(payer.owner));
  harness.processor.webhooks.release();
  await harness.settled();
  const listRefunds = () => harness.processor.store.all('refund').filter((r) => r.payment_intent === payment_intent);
  await waitUntil(() => listRefunds().length > 0, { what: 'the refund' });
  expect(listRefunds()).toMatchObject([{ amount: 1_380, currency: 'eur' }]);
  await waitUntil(
    async () => (await harness.ledger.events(eventTypes.paymentRefunded, payer.owner.projectId)).length > 0,
    { what: 'the refund’s event' },
  );
  expect(await harness.ledger.events(eventTypes.paymentRefunded, payer.owner.projectId)).toMatchObject([
    { amountCents: 1_380n, currency: 'eur' },
  ]);
});

it('returns a payment that arrives while its order is undone without one', async () => {
  const { topUp } = await openTopUp();
  const { pool } = harness.ledger.database;
  await undoOrder(pool, topUp.id, new Date());
  await notePayment(pool, topUp.id, { intentId: 'pi_late', newlyReversedCents: 0n });
  expect(await finishUndo(pool, topUp.id, [])).toBe(false);
  expect(await finishUndo(pool, topUp.id, ['pi_late'])).toBe(true);
});

it('ends a top-up whose delayed payment does not arrive, with one event', async () => {
  const payer = await openTopUp();
  const { sessionId } = payer.topUp;
  harness.processor.pay(sessionId, { isDelayed: true });
  await harness.settled();
  expect(await readPayment(payer)).toMatchObject({ status: 'pending' });
  harness.processor.endDelayedPayment(sessionId, 'failed');
  await harness.settled();
  expect(await readPayment(payer)).toMatchObject({ status: 'failed' });
  expect(await readFailures(payer)).toMatchObject([{ orderId: payer.topUp.id, reason: 'Your card was declined.' }]);
});

it('credits a delayed payment when it arrives', async () => {
  const payer = await openTopUp();
  harness.processor.pay(payer.topUp.sessionId, { isDelayed: true });
  harness.processor.endDelayedPayment(payer.topUp.sessionId, 'paid');
  await harness.settled();
  expect(await readPayment(payer)).toMatchObject({ status: 'completed' });
  expect(await readBalance(payer)).toBe(1_500_000_000n);
  expect(await readFailures(payer)).toEqual([]);
});

it('offers the payer of a page no other currency', async () => {
  const payer = await openTopUp();
  await makeTier(harness, payer.owner, { tierCode: 'pro', priceCents: 2_000 });
  const tier = { case: 'tierCode' as const, value: 'pro' };
  await harness.payments.createCheckout({ customerId: payer.id, tier, ...URLS }, callAs(payer.owner));
  await harness.payments.createAccountTopUp({ amountCents: 2_500n, ...URLS }, callAs(payer.owner));
  const pages = harness.processor
    .requests()
    .filter(({ method, path }) => method === 'POST' && path === '/v1/checkout/sessions')
    .map(({ body }) => new URLSearchParams(body));
  expect(new Set(pages.map((page) => page.get('mode')))).toEqual(new Set(['payment', 'subscription']));
  expect(pages.filter((page) => page.get('adaptive_pricing[enabled]') !== 'false')).toEqual([]);
});
