import { expect, it } from '@jest/globals';
import type { Payment } from '@tollgate/contracts/billing/v1/payments_pb.js';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { eventTypes } from '@tollgate/events';
import { callAs } from '../../../testing/ledger-harness.js';
import { buy, makeCustomer, URLS } from '../../../testing/payments-harness.js';
import { subscriptionActions, usePayments } from '../../../testing/use-payments.js';

const harness = usePayments('record_reversals');
const { project } = subscriptionActions(harness);

const list = async (owner: Principal, customerId: string) =>
  harness.payments.listProjectPayments({ limit: 100, customerId, includeTotals: true }, callAs(owner));
/** Oldest first, such as `renewal completed 2000`. */
const rows = (payments: readonly Payment[]) =>
  payments.map(({ kind, status, amountCents }) => `${kind} ${status} ${amountCents}`).reverse();
const readRows = async (owner: Principal, customerId: string) => rows((await list(owner, customerId)).payments);
const succeeded = (owner: Principal) => harness.ledger.events(eventTypes.paymentSucceeded, owner.projectId);
const disputes = (owner: Principal) => harness.ledger.events(eventTypes.disputeOpened, owner.projectId);
const refunds = (owner: Principal) => harness.ledger.events(eventTypes.paymentRefunded, owner.projectId);

async function subscriber() {
  const owner = await project();
  const id = await makeCustomer(harness, owner, 'free');
  const subscription = await buy(harness, owner, id, 'pro');
  // The processor's times are whole seconds: what follows is in another one.
  await harness.pass({ minutes: 1 });
  return { owner, id, subscription };
}

/** The payment of the subscription's last invoice. */
async function lastPayment(subscription: string): Promise<string> {
  const { latest_invoice: invoice } = await harness.stripe.subscriptions.retrieve(subscription);
  const { data } = await harness.stripe.invoicePayments.list({ invoice: invoice as string });
  return data[0]?.payment.payment_intent as string;
}

it('lists a refund that was made at the processor, and reports it once', async () => {
  const { owner, id, subscription } = await subscriber();
  const payment = await lastPayment(subscription);
  const refund = await harness.stripe.refunds.create({ payment_intent: payment, amount: 500 });
  await harness.settled();
  const { payments, totals } = await list(owner, id);
  expect(rows(payments)).toEqual(['subscription completed 2000', 'refund completed 500']);
  expect(payments[0]?.parentId).toBe(payments[1]?.id);
  expect(payments[1]?.reversedCents).toBe(500n);
  expect(totals).toMatchObject([{ receivedCents: 2_000n, refundedCents: 500n, disputedCents: 0n }]);
  expect(await refunds(owner)).toMatchObject([{ purchase: 'subscription', amountCents: 500n }]);
  harness.processor.failRefund(refund.id);
  await harness.settled();
  const after = await list(owner, id);
  expect(rows(after.payments)).toEqual(['subscription completed 2000', 'refund failed 500']);
  expect([after.payments[1]?.reversedCents, after.totals[0]?.refundedCents]).toEqual([0n, 0n]);
});

it.each(['won', 'lost'] as const)('lists a dispute that is %s, and reports once that it was opened', async (end) => {
  const { owner, id, subscription } = await subscriber();
  const dispute = harness.processor.openDispute(await lastPayment(subscription));
  await harness.settled();
  expect(await readRows(owner, id)).toEqual(['subscription completed 2000', 'dispute disputed 2000']);
  expect((await list(owner, id)).totals).toMatchObject([{ disputedCents: 2_000n }]);
  harness.processor.closeDispute(dispute.id, end);
  await harness.settled();
  expect(await readRows(owner, id)).toEqual(['subscription completed 2000', `dispute ${end} 2000`]);
  expect((await list(owner, id)).totals).toMatchObject([{ disputedCents: end === 'won' ? 0n : 2_000n }]);
  expect(await disputes(owner)).toMatchObject([{ kind: 'subscription', amountCents: 2_000n, reason: 'fraudulent' }]);
});

it('lists the refunds and disputes of a top-up, too', async () => {
  const owner = await project();
  const id = await makeCustomer(harness, owner, 'paygo');
  const request = { customerId: id, creditAmountCents: 2_000n, ...URLS };
  const { topUp } = await harness.payments.createWalletTopUp(request, callAs(owner));
  harness.processor.pay(topUp?.sessionId ?? '');
  await harness.pass({ minutes: 1 });
  await harness.payments.refundPayment({ paymentId: topUp?.id ?? '', amountCents: 700n, cause: 'c' }, callAs(owner));
  await harness.settled();
  const { payments, totals } = await list(owner, id);
  expect(rows(payments)).toEqual(['wallet_topup completed 2000', 'refund completed 700']);
  expect(URL.canParse(payments[1]!.receiptUrl)).toBe(true);
  expect(totals).toMatchObject([{ receivedCents: 2_000n, refundedCents: 700n, count: 1n }]);
  expect(await succeeded(owner)).toMatchObject([{ kind: 'wallet_topup', amountCents: 2_000n }]);
});
