import { buttonClasses } from '../parts/button.js';
import { Dialog } from '../parts/dialog.js';

/** Where a checkout leads its tab when it ends. */
export function checkoutReturn() {
  const page = `${location.origin}/api/v1/billing/checkout-return?outcome=`;
  return { success_url: `${page}success`, cancel_url: `${page}cancel` };
}

export interface CheckoutProps {
  url: string;
  hasFailed?: boolean;
  onClose: () => void;
}

/** Leads to the payment page in another tab, and waits. */
export function Checkout({ url, hasFailed = false, onClose }: CheckoutProps) {
  return (
    <Dialog title="Payment" onClose={onClose}>
      <div className="flex flex-col gap-4">
        <p role="status" className="text-soft">
          {hasFailed
            ? 'Nothing was paid. Close this and try again.'
            : 'The payment page opens in a new tab. This page shows the result when the payment is confirmed.'}
        </p>
        {!hasFailed && (
          <footer className="flex justify-end">
            <a href={url} target="_blank" rel="noopener noreferrer" className={buttonClasses('primary')}>
              Go to the payment page
            </a>
          </footer>
        )}
      </div>
    </Dialog>
  );
}
