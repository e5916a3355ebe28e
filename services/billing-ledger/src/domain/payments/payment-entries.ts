/** A payment at the processor with its refunds and disputes. Amounts in cents. */
export interface PaymentState {
  id: string;
  receivedCents: bigint;
  refunds: readonly Reversal[];
  disputes: readonly (Reversal & { reason?: string })[];
}

export interface Reversal {
  id: string;
  cents: bigint;
  status: string;
  createdAt?: Date;
}

export interface PaymentEntry {
  /** The journal's kind. The journal books each (kind, cause) once. */
  kind: 'top_up' | 'refund' | 'refund_failed' | 'dispute' | 'dispute_won';
  cause: string;
  direction: 'credit' | 'debit';
  cents: bigint;
}

/** Statuses in which the money was returned or is being returned. */
export const REFUND_TAKEN: ReadonlySet<string> = new Set(['succeeded', 'pending', 'requires_action']);
/** Statuses in which no money was taken: inquiries, and disputes closed in time. */
const DISPUTE_WITHOUT_FUNDS = new Set([
  'warning_needs_response',
  'warning_under_review',
  'warning_closed',
  'prevented',
]);

/** Returns the status of a refund's record, or undefined if no money moved. */
export function toRefundStatus(status: string): 'completed' | 'processing' | 'failed' | undefined {
  if (status === 'failed' || status === 'canceled') return 'failed';
  if (status === 'succeeded') return 'completed';
  return REFUND_TAKEN.has(status) ? 'processing' : undefined;
}

/** Returns the status of a dispute's record, or undefined if it took no money. */
export function toDisputeStatus(status: string): 'disputed' | 'won' | 'lost' | undefined {
  if (DISPUTE_WITHOUT_FUNDS.has(status)) return undefined;
  return status === 'won' || status === 'lost' ? status : 'disputed';
}

/**
 * Returns all journal entries of a payment. They follow from the state of the processor's objects alone, so late,
 * repeated and reordered webhook events produce the same entries. A refund that failed later, or a dispute that was won,
 * is two entries, because the debit may already be booked.
 */
export function paymentEntries(payment: PaymentState): PaymentEntry[] {
  const entries: PaymentEntry[] = [];
  if (payment.receivedCents <= 0n) return entries;
  entries.push({ kind: 'top_up', cause: payment.id, direction: 'credit', cents: payment.receivedCents });
  for (const { id, cents, status } of payment.refunds) {
    if (!REFUND_TAKEN.has(status) && status !== 'failed' && status !== 'canceled') continue;
    entries.push({ kind: 'refund', cause: id, direction: 'debit', cents });
    if (!REFUND_TAKEN.has(status)) entries.push({ kind: 'refund_failed', cause: id, direction: 'credit', cents });
  }
  for (const { id, cents, status } of payment.disputes) {
    if (DISPUTE_WITHOUT_FUNDS.has(status)) continue;
    entries.push({ kind: 'dispute', cause: id, direction: 'debit', cents });
    if (status === 'won') entries.push({ kind: 'dispute_won', cause: id, direction: 'credit', cents });
  }
  return entries;
}

interface Amount {
  currency: string;
  cents: bigint;
}

export interface DisputeAmounts {
  disputed: Amount;
  /** Amounts that the processor withdrew (negative) and returned for the dispute. */
  moved: readonly Amount[];
}

/**
 * Returns what a dispute takes of a payment, in the payment's currency. A bank can dispute in its own currency: then the
 * processor's withdrawal counts, or the whole payment if that is in another currency too.
 */
export function disputedCents({ disputed, moved }: DisputeAmounts, received: Amount): bigint {
  if (disputed.currency === received.currency) return disputed.cents;
  const withdrawn = moved.find(({ currency, cents }) => currency === received.currency && cents < 0n);
  return withdrawn ? -withdrawn.cents : received.cents;
}

/** Sums what the entries take back of the payment, net. */
export function reversedCents(entries: readonly PaymentEntry[]): bigint {
  return entries
    .filter((entry) => entry.kind !== 'top_up')
    .reduce((sum, entry) => (entry.direction === 'debit' ? sum + entry.cents : sum - entry.cents), 0n);
}
