import { describe, expect, it } from '@jest/globals';
import { toEventSubject } from './webhook-event.js';

describe('toEventSubject', () => {
  it.each<[string, object, object]>([
    ['checkout.session.completed', { id: 'cs_1' }, { kind: 'checkout', id: 'cs_1' }],
    ['checkout.session.expired', { id: 'cs_1' }, { kind: 'checkout', id: 'cs_1' }],
    ['customer.subscription.created', { id: 'sub_1' }, { kind: 'subscription', id: 'sub_1' }],
    ['customer.subscription.updated', { id: 'sub_1' }, { kind: 'subscription', id: 'sub_1' }],
    ['customer.subscription.deleted', { id: 'sub_1' }, { kind: 'subscription', id: 'sub_1' }],
    ['customer.subscription.paused', { id: 'sub_1' }, { kind: 'subscription', id: 'sub_1' }],
    ['customer.subscription.resumed', { id: 'sub_1' }, { kind: 'subscription', id: 'sub_1' }],
    [
      'invoice.paid',
      { id: 'in_1', parent: { subscription_details: { subscription: 'sub_1' } } },
      { kind: 'invoice', id: 'in_1', subscriptionId: 'sub_1' },
    ],
    [
      'invoice.payment_failed',
      { id: 'in_1', subscription: 'sub_1' },
      { kind: 'invoice', id: 'in_1', subscriptionId: 'sub_1' },
    ],
    ['invoice.paid', { id: 'in_1', parent: null }, { kind: 'invoice', id: 'in_1', subscriptionId: undefined }],
    ['invoice.upcoming', { subscription: 'sub_1' }, { kind: 'subscription', id: 'sub_1' }],
    ['payment_intent.succeeded', { id: 'pi_1' }, { kind: 'payment', id: 'pi_1' }],
    ['payment_intent.payment_failed', { id: 'pi_1' }, { kind: 'payment', id: 'pi_1' }],
    ['charge.succeeded', { id: 'ch_1', payment_intent: 'pi_1' }, { kind: 'payment', id: 'pi_1' }],
    ['charge.refunded', { id: 'ch_1', payment_intent: 'pi_1' }, { kind: 'reversal', id: 'pi_1' }],
    ['charge.refunded', { id: 'ch_1', payment_intent: { id: 'pi_1' } }, { kind: 'reversal', id: 'pi_1' }],
    ['charge.refunded', { id: 'ch_1', payment_intent: null }, { kind: 'none' }],
    ['charge.dispute.created', { id: 'du_1', payment_intent: 'pi_1' }, { kind: 'reversal', id: 'pi_1' }],
    ['charge.dispute.closed', { id: 'du_1', payment_intent: 'pi_1' }, { kind: 'reversal', id: 'pi_1' }],
    ['refund.failed', { id: 're_1', payment_intent: 'pi_1' }, { kind: 'reversal', id: 'pi_1' }],
    ['setup_intent.succeeded', { id: 'seti_1' }, { kind: 'setup', id: 'seti_1' }],
    ['customer.created', { id: 'cus_1' }, { kind: 'none' }],
    ['something.new', {}, { kind: 'none' }],
  ])('finds the subject of %s %#', (type, object, expected) => {
    expect(toEventSubject(type, object)).toEqual(expected);
  });
});
