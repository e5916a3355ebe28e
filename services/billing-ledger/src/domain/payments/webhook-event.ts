/** The processor's object that a webhook event is about. It is read from the processor; the event's contents are not trusted. */
export type EventSubject =
  | { kind: 'checkout'; id: string }
  | { kind: 'subscription'; id: string }
  | { kind: 'payment'; id: string }
  | { kind: 'setup'; id: string }
  /** An event that this service ignores. */
  | { kind: 'none' };

interface EventObject {
  id?: unknown;
  payment_intent?: unknown;
  subscription?: unknown;
  parent?: { subscription_details?: { subscription?: unknown } | null } | null;
}

const NONE: EventSubject = { kind: 'none' };

export function toEventSubject(type: string, object: EventObject): EventSubject {
  if (type.startsWith('checkout.session.')) return subject('checkout', object.id);
  if (type.startsWith('customer.subscription.')) return subject('subscription', object.id);
  if (type.startsWith('invoice.')) return subject('subscription', invoiceSubscription(object));
  if (type.startsWith('payment_intent.')) return subject('payment', object.id);
  if (type.startsWith('setup_intent.')) return subject('setup', object.id);
  if (type.startsWith('charge.') || type.startsWith('refund.')) return subject('payment', object.payment_intent);
  return NONE;
}

/** The field depends on the API version of the webhook events. */
function invoiceSubscription(invoice: EventObject): unknown {
  return invoice.parent?.subscription_details?.subscription ?? invoice.subscription;
}

/** A reference is an id, or the whole object if it is expanded. */
function subject(kind: 'checkout' | 'subscription' | 'payment' | 'setup', reference: unknown): EventSubject {
  const id = typeof reference === 'object' && reference !== null ? (reference as { id?: unknown }).id : reference;
  return typeof id === 'string' && id !== '' ? { kind, id } : NONE;
}
