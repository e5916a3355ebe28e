import { describe, expect, it } from '@jest/globals';
import { type InvoiceState, toInvoicePayment } from './invoice-payment.js';

const paid: InvoiceState = {
  status: 'paid',
  reason: 'subscription_cycle',
  paidCents: 2_000n,
  dueCents: 2_000n,
  attemptCount: 1,
};

describe('toInvoicePayment', () => {
  it.each([
    ['subscription_create', 'subscription'],
    ['subscription_cycle', 'renewal'],
    ['subscription_update', 'tier_change'],
    ['manual', 'invoice'],
    [null, 'invoice'],
  ])('takes an invoice with the reason %s for a payment of kind %s', (reason, kind) => {
    expect(toInvoicePayment({ ...paid, reason })).toEqual({ kind, status: 'completed', amountCents: 2_000n });
  });

  it('takes an attempted invoice for a failed payment, also when it was given up', () => {
    for (const status of ['open', 'void', 'uncollectible'])
      expect(toInvoicePayment({ ...paid, status, paidCents: 0n })?.status).toBe('failed');
  });

  it.each([
    ['of a trial', { paidCents: 0n, dueCents: 0n }],
    ['that is a draft', { status: 'draft', paidCents: 0n }],
    ['that was not attempted', { status: 'open', paidCents: 0n, attemptCount: 0 }],
  ])('ignores an invoice %s', (_, change) => {
    expect(toInvoicePayment({ ...paid, ...change })).toBeUndefined();
  });
});
