/** The processor's object that a webhook event is about. It is read from the processor; the event's contents are not trusted. */
export type EventSubject =
  | { kind: 'checkout'; id: string }
  | { kind: 'subscription'; id: string }
  /** `subscriptionId` is undefined for an invoice without a subscription. */
  | { kind: 'invoice'; id: string; subscriptionId: string | undefined }
  | { kind: 'payment'; id: string }
  /** A refund or dispute of the payment. */
  | { kind: 'reversal'; id: string }
  | { kind: 'setup'; id: string }
  /** An event that this service ignores. */
  | { kind: 'none' };

interface EventObject {
  id?: unknown;
  payment_intent?: unknown;
  subscription?: unknown;
  parent?: { subscription_details?: { subscription?: unknown } | null } | null;
}

const REVERSALS = /^(charge\.refund|charge\.dispute\.|refund\.)/;
const NONE: EventSubject = { kind: 'none' };

export function toEventSubject(type: string, object: EventObject): EventSubject {
  if (type.startsWith('checkout.session.')) return subject('checkout', object.id);
  if (type.startsWith('customer.subscription.')) return subject('subscription', object.id);
  if (type.startsWith('invoice.')) return invoiceSubject(object);
  if (type.startsWith('payment_intent.')) return subject('payment', object.id);
  if (type.startsWith('setup_intent.')) return subject('setup', object.id);
  if (REVERSALS.test(type)) return subject('reversal', object.payment_intent);
  if (type.startsWith('charge.')) return subject('payment', object.payment_intent);
  return NONE;
}

/** The invoice of a period that has not ended has no id. */
function invoiceSubject(invoice: EventObject): EventSubject {
  const subscription = subject('subscription', invoiceSubscription(invoice));
  if (typeof invoice.id !== 'string' || invoice.id === '') return subscription;
  return {
    kind: 'invoice',
    id: invoice.id,
    subscriptionId: subscription.kind === 'subscription' ? subscription.id : undefined,
  };
}

/** The field depends on the API version of the webhook events. */
function invoiceSubscription(invoice: EventObject): unknown {
  return invoice.parent?.subscription_details?.subscription ?? invoice.subscription;
}

/** A reference is an id, or the whole object if it is expanded. */
function subject(
  kind: 'checkout' | 'subscription' | 'payment' | 'reversal' | 'setup',
  reference: unknown,
): EventSubject {
  const id = typeof reference === 'object' && reference !== null ? (reference as { id?: unknown }).id : reference;
  return typeof id === 'string' && id !== '' ? { kind, id } : NONE;
}
