import { useState } from 'react';
import { call } from '../../api/client.js';
import { useAction } from '../../api/use-action.js';
import { useIdempotencyKey } from '../../api/use-idempotency-key.js';
import { readCents } from '../../format/money.js';
import { CodeBlock } from '../../parts/copy.js';
import { Dialog, FormDialog } from '../../parts/dialog.js';
import { TextField } from '../../parts/field.js';
import type { CustomerDialogProps } from './customer-dialog.js';

/** Creates a checkout. The wallet is credited once the payment processor confirms the payment. */
export function TopUpCustomer({ envelope: { customer }, onClose }: CustomerDialogProps) {
  const { id, project_id: projectId } = customer;
  const [amount, setAmount] = useState('10.00');
  const back = `${location.origin}/console/p/${projectId}/customers/${id}?tab=wallet`;
  const headers = useIdempotencyKey();
  const start = useAction({
    act: (credit_amount_cents: number) =>
      call<{ url: string }>('POST', `/projects/${projectId}/customers/${id}/topup`, {
        headers,
        body: { credit_amount_cents, success_url: back, cancel_url: back },
      }),
    changes: [['customer', projectId, id, 'wallet']],
  });
  const cents = readCents(amount);
  if (start.data) return <Checkout url={start.data.url} onClose={onClose} />;
  return (
    <FormDialog
      title="Top up the wallet"
      action="Create the checkout"
      isBusy={start.isPending}
      error={start.error}
      onSubmit={() => cents !== undefined && start.mutate(cents)}
      onClose={onClose}
    >
      <TextField
        label="Amount"
        inputMode="decimal"
        required
        value={amount}
        hint="The customer pays it by card on a page of the payment processor."
        fault={cents === undefined ? 'An amount such as 10.00' : undefined}
        onChange={(event) => setAmount(event.target.value)}
      />
    </FormDialog>
  );
}

function Checkout({ url, onClose }: { url: string; onClose: () => void }) {
  return (
    <Dialog title="Checkout" onClose={onClose}>
      <div className="flex flex-col gap-4">
        <p className="text-soft">Send this address to the customer, or open it yourself.</p>
        <CodeBlock text={url} label="address" />
        <a href={url} className="text-right font-medium text-accent underline">
          Open the checkout
        </a>
      </div>
    </Dialog>
  );
}
