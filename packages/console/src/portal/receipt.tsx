import { createPortal } from 'react-dom';
import type { Payment } from '../api/types.js';
import { formatCents } from '../format/money.js';
import { formatMoment } from '../format/times.js';
import { Button } from '../parts/button.js';
import { Facts } from '../parts/card.js';
import { Dialog } from '../parts/dialog.js';

export interface ReceiptProps {
  payment: Payment;
  /** The purchased thing. */
  name: string;
  email: string;
  projectName: string;
  onClose: () => void;
}

/** Beside the page instead of in it, so that it is printed alone. */
export function Receipt({ payment, name, email, projectName, onClose }: ReceiptProps) {
  const {
    id,
    amount_cents: cents,
    tax_cents: tax = 0,
    currency,
    reversed_cents: reversed,
    ended_at: endedAt,
    created_at: at,
  } = payment;
  const rows: [string, string][] = [
    ['From', projectName],
    ['To', email],
    ['For', name],
    ['Paid', formatMoment(endedAt ?? at)],
    ['Amount', cents === undefined ? '–' : formatCents(cents, currency)],
    ...(tax > 0 ? [['Of which tax', formatCents(tax, currency)] as [string, string]] : []),
    ...(reversed > 0 ? [['Refunded', formatCents(reversed, currency)] as [string, string]] : []),
    ['Number', id],
  ];
  return createPortal(
    <div className="receipt">
      <Dialog title="Receipt" onClose={onClose}>
        <div className="flex flex-col gap-4">
          <Facts rows={rows} />
          <footer className="flex justify-end print:hidden">
            <Button onClick={() => window.print()}>Print</Button>
          </footer>
        </div>
      </Dialog>
    </div>,
    document.body,
  );
}
