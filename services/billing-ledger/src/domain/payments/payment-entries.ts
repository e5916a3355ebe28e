/** A payment as the processor knows it, with everything that took money back from it. Amounts in cents. */
export interface PaymentState {
  id: string;
  receivedCents: bigint;
  refunds: readonly { id: string; cents: bigint; status: string }[];
  disputes: readonly { id: string; cents: bigint; status: string }[];
}

export interface PaymentEntry {
  /** The journal's kind: with the cause it is booked once, for ever. */
  kind: 'top_up' | 'refund' | 'refund_failed' | 'dispute' | 'dispute_won';
  cause: string;
  direction: 'credit' | 'debit';
  cents: bigint;
}

/** The money went back, or is on its way. */
const REFUND_TAKEN = new Set(['succeeded', 'pending', 'requires_action']);
/** The money was never taken: an inquiry, or one that was closed in time. */
const DISPUTE_WITHOUT_FUNDS = new Set([
  'warning_needs_response',
  'warning_under_review',
  'warning_closed',
  'prevented',
]);

/**
 * Everything that has to stand in the journal for a payment, from the state of the processor's objects: whatever notice
 * comes, however late, in whatever order and however often, the same entries follow. A refund that failed later, or a
 * dispute that was won, is two entries: the debit may have been booked already.
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

/** What of the payment these entries take back, net. */
export function reversedCents(entries: readonly PaymentEntry[]): bigint {
  return entries
    .filter((entry) => entry.kind !== 'top_up')
    .reduce((sum, entry) => (entry.direction === 'debit' ? sum + entry.cents : sum - entry.cents), 0n);
}
