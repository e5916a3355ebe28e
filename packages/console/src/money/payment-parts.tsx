import type { Payment } from '../api/types.js';
import { formatCents } from '../format/money.js';

const TAKEN_BACK: ReadonlySet<string> = new Set(['refund', 'dispute']);

/** The amount of a payment, negative for a refund or dispute. */
export function formatAmount({ kind, amount_cents: cents, currency }: Payment): string {
  if (cents === undefined) return '–';
  return `${TAKEN_BACK.has(kind) ? '−' : ''}${formatCents(cents, currency)}`;
}

/** Links to the card processor's invoice and receipt. */
export function ProcessorPages({ payment }: { payment: Payment }) {
  const pages = [
    [payment.status === 'failed' ? 'Pay the invoice' : 'Invoice', payment.invoice_url],
    ['Receipt', payment.receipt_url],
  ] as const;
  const present = pages.filter(([, url]) => url !== undefined);
  if (present.length === 0) return <>–</>;
  return (
    <span className="inline-flex flex-wrap gap-x-3">
      {present.map(([label, url]) => (
        <a key={label} href={url} target="_blank" rel="noreferrer" className="underline">
          {label}
        </a>
      ))}
    </span>
  );
}
