import { expect, it } from '@jest/globals';
import { decodeEvent, eventTypes } from '@tollgate/events';
import {
  attemptFailedEvent,
  disputeOpenedEvent,
  paymentRefundedEvent,
  paymentSucceededEvent,
  type ReportedPayment,
} from './payment-events.js';

const payer = { accountId: 'account', projectId: 'project', customerId: 'customer', currency: 'usd' };
const payment: ReportedPayment = {
  ...payer,
  id: 'payment',
  kind: 'renewal',
  amountCents: 2_000n,
  taxCents: 300n,
  period: { start: new Date('2026-01-31'), end: new Date('2026-02-28') },
  invoiceUrl: 'https://processor.example/invoice',
};

it('reports a payment with its tax, period and pages', () => {
  const event = paymentSucceededEvent(payment);
  expect(event).toMatchObject({ type: 'billing.payment_succeeded', key: 'customer' });
  expect(decodeEvent(eventTypes.paymentSucceeded, event)).toMatchObject({
    ...payer,
    ...{ paymentId: 'payment', kind: 'renewal', amountCents: 2_000n, taxCents: 300n, receiptUrl: '' },
    invoiceUrl: 'https://processor.example/invoice',
  });
});

it('reports a failed attempt with its reason and the page of the invoice', () => {
  expect(decodeEvent(eventTypes.paymentFailed, attemptFailedEvent(payment, 'declined'))).toMatchObject({
    ...payer,
    ...{ orderId: 'payment', purchase: 'renewal', amountCents: 2_000n, reason: 'declined' },
    invoiceUrl: 'https://processor.example/invoice',
  });
});

it('reports a refund and a dispute with their own amounts', () => {
  expect(decodeEvent(eventTypes.paymentRefunded, paymentRefundedEvent(payment, 500n))).toMatchObject({
    ...{ orderId: 'payment', amountCents: 500n },
  });
  const dispute = { id: 'dispute', amountCents: 700n, reason: 'fraudulent' };
  expect(decodeEvent(eventTypes.disputeOpened, disputeOpenedEvent(payment, dispute))).toMatchObject({
    ...{ paymentId: 'payment', disputeId: 'dispute', kind: 'renewal', amountCents: 700n, reason: 'fraudulent' },
  });
});
