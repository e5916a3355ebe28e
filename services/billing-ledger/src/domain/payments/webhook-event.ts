/** What of a notice is looked at: which of the processor's objects to read anew. Its contents are never trusted. */
export type NoticeSubject =
  | { kind: 'checkout'; id: string }
  | { kind: 'subscription'; id: string }
  | { kind: 'payment'; id: string }
  | { kind: 'setup'; id: string }
  /** Nothing that concerns us. */
  | { kind: 'none' };

interface NoticeObject {
  id?: unknown;
  payment_intent?: unknown;
  subscription?: unknown;
  parent?: { subscription_details?: { subscription?: unknown } | null } | null;
}

const NONE: NoticeSubject = { kind: 'none' };

export function subjectOfNotice(type: string, object: NoticeObject): NoticeSubject {
  if (type.startsWith('checkout.session.')) return subject('checkout', object.id);
  if (type.startsWith('customer.subscription.')) return subject('subscription', object.id);
  if (type.startsWith('invoice.')) return subject('subscription', subscriptionOf(object));
  if (type.startsWith('payment_intent.')) return subject('payment', object.id);
  if (type.startsWith('setup_intent.')) return subject('setup', object.id);
  if (type.startsWith('charge.') || type.startsWith('refund.')) return subject('payment', object.payment_intent);
  return NONE;
}

/** Where it stands depends on the version of the processor's interface that the notices are sent in. */
function subscriptionOf(invoice: NoticeObject): unknown {
  return invoice.parent?.subscription_details?.subscription ?? invoice.subscription;
}

/** References are ids, or whole objects where they are expanded. */
function subject(kind: 'checkout' | 'subscription' | 'payment' | 'setup', reference: unknown): NoticeSubject {
  const id = typeof reference === 'object' && reference !== null ? (reference as { id?: unknown }).id : reference;
  return typeof id === 'string' && id !== '' ? { kind, id } : NONE;
}
