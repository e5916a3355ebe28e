import { useState } from 'react';
import { useAction } from '../api/use-action.js';
import { formatDay } from '../format/times.js';
import { Button, buttonClasses } from '../parts/button.js';
import { Failure } from '../parts/states.js';
import type { Me } from './account.js';
import { callAsCustomer } from './portal-session.js';

/** Shows the end of a paid plan, with buttons to keep it and to change cards; nothing to other customers. */
export function ManagePlan({ me: { subscription } }: { me: Me }) {
  const [page, setPage] = useState<string>();
  const open = useAction({
    act: () =>
      callAsCustomer<{ url: string }>('POST', '/customers/me/billing-portal', {
        body: { return_url: `${location.origin}/api/v1/billing/checkout-return?outcome=back` },
      }),
    changes: [],
    onDone: ({ url }) => setPage(url),
  });
  const resume = useAction({
    act: () => callAsCustomer<object>('POST', '/customers/me/subscription/resume', {}),
    changes: [['me']],
    done: 'Your plan continues',
  });
  if (subscription?.billing_provider !== 'stripe') return null;
  const { cancel_at: end, subscription_status: status } = subscription;
  const isUnpaid = status === 'past_due' || status === 'unpaid';
  return (
    <section aria-label="Manage your plan" className="flex flex-col gap-3">
      {end !== undefined && <p role="status">Your plan ends on {formatDay(end)}.</p>}
      {isUnpaid && <p role="status">The last payment has failed. Change the card to keep your plan.</p>}
      <div className="flex flex-wrap gap-2">
        {end !== undefined && (
          <Button look="primary" isBusy={resume.isPending} onClick={() => resume.mutate()}>
            Keep the plan
          </Button>
        )}
        {page === undefined ? (
          <Button look={isUnpaid ? 'primary' : 'plain'} isBusy={open.isPending} onClick={() => open.mutate()}>
            Cards, invoices and cancellation
          </Button>
        ) : (
          <a href={page} target="_blank" rel="noopener noreferrer" className={buttonClasses('primary')}>
            Open the page of the payment processor
          </a>
        )}
      </div>
      {open.error && <Failure error={open.error} />}
      {resume.error && <Failure error={resume.error} />}
    </section>
  );
}
