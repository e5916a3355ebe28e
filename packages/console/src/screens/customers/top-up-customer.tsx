import { useState } from 'react';
import { call } from '../../api/client.js';
import { AmountDialog } from '../../money/amount-dialog.js';
import { CodeBlock } from '../../parts/copy.js';
import { Dialog } from '../../parts/dialog.js';
import type { CustomerDialogProps } from './customer-dialog.js';

/** Where a checkout leads that names no page of an app. */
const PAGE = `${location.origin}/api/v1/billing/checkout-return`;

/** Creates a checkout, which leads back to a page for customers: the console is not for them. The wallet is credited once the payment processor confirms the payment. */
export function TopUpCustomer({ envelope: { customer }, onClose }: CustomerDialogProps) {
  const { id, project_id: projectId } = customer;
  const [url, setUrl] = useState<string>();
  if (url !== undefined) return <Checkout url={url} onClose={onClose} />;
  return (
    <AmountDialog
      title="Top up the wallet"
      action="Create the checkout"
      initial="10.00"
      hint="The customer pays it by card on a page of the payment processor."
      send={(credit_amount_cents, headers) =>
        call<{ url: string }>('POST', `/projects/${projectId}/customers/${id}/topup`, {
          headers,
          body: { credit_amount_cents, success_url: `${PAGE}?outcome=success`, cancel_url: `${PAGE}?outcome=cancel` },
        })
      }
      changes={[['customer', projectId, id, 'wallet']]}
      onDone={(checkout) => setUrl(checkout.url)}
      onClose={onClose}
    />
  );
}

function Checkout({ url, onClose }: { url: string; onClose: () => void }) {
  return (
    <Dialog title="Checkout" onClose={onClose}>
      <div className="flex flex-col gap-4">
        <p className="text-soft">Send this address to the customer, or open it yourself.</p>
        <CodeBlock text={url} label="address" />
        <a href={url} target="_blank" rel="noopener" className="text-right font-medium text-accent underline">
          Open the checkout
        </a>
      </div>
    </Dialog>
  );
}
