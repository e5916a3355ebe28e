/** The purpose of a payment, by the processor's reason of its invoice. */
export type InvoiceKind = 'subscription' | 'renewal' | 'tier_change' | 'invoice';

const KINDS: Readonly<Record<string, InvoiceKind>> = {
  subscription_create: 'subscription',
  subscription_cycle: 'renewal',
  subscription_update: 'tier_change',
};

/** The parts of an invoice that decide how it is recorded. Amounts in cents. */
export interface InvoiceState {
  status: string | null;
  reason: string | null;
  paidCents: bigint;
  dueCents: bigint;
  attemptCount: number;
}

export interface InvoicePayment {
  kind: InvoiceKind;
  status: 'completed' | 'failed';
  amountCents: bigint;
}

/**
 * Returns how an invoice is recorded: as paid, or as a failed payment once it was attempted. Returns undefined for drafts, for
 * invoices that were not attempted, and for those without money, as of a trial or of a customer whose credit pays.
 */
export function toInvoicePayment(invoice: InvoiceState): InvoicePayment | undefined {
  const { status, reason, paidCents, dueCents, attemptCount } = invoice;
  const kind = KINDS[reason ?? ''] ?? 'invoice';
  if (status === 'paid') return paidCents > 0n ? { kind, status: 'completed', amountCents: paidCents } : undefined;
  const isAttempted = attemptCount > 0 && status !== 'draft' && dueCents > 0n;
  return isAttempted ? { kind, status: 'failed', amountCents: dueCents } : undefined;
}
