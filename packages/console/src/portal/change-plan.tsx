import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Tier, TierChangePreview } from '../api/types.js';
import { useAction } from '../api/use-action.js';
import { useIdempotencyKey } from '../api/use-idempotency-key.js';
import { Dialog, FormDialog } from '../parts/dialog.js';
import { Loaded } from '../parts/states.js';
import type { Me } from './account.js';
import { Checkout, checkoutReturn } from './checkout.js';
import { describeConsequences } from './describe-consequences.js';
import { callAsCustomer } from './portal-session.js';
import { meQuery, previewQuery } from './queries.js';

const POLL_MS = 3_000;

/** Shows what a change of the plan does, as the service computes it, before it is made. */
export function ChangePlan({ tier, me, onClose }: { tier: Tier; me: Me; onClose: () => void }) {
  const preview = useQuery(previewQuery(tier.tier_code));
  const [url, setUrl] = useState<string>();
  if (url !== undefined) return <WaitForPlan tier={tier} url={url} onClose={onClose} />;
  if (preview.data) {
    return <Confirmation tier={tier} me={me} preview={preview.data} onCheckout={setUrl} onClose={onClose} />;
  }
  return (
    <Dialog title={`Change to ${tier.display_name}`} onClose={onClose}>
      <Loaded query={preview}>{() => null}</Loaded>
    </Dialog>
  );
}

interface ConfirmationProps {
  tier: Tier;
  me: Me;
  preview: TierChangePreview;
  onCheckout: (url: string) => void;
  onClose: () => void;
}

function Confirmation({ tier, me, preview, onCheckout, onClose }: ConfirmationProps) {
  const isCheckout = preview.action === 'checkout';
  const headers = useIdempotencyKey(tier.tier_code);
  const change = useAction({
    act: async () => {
      const body = { tier_code: tier.tier_code };
      if (!isCheckout) return callAsCustomer<object>('POST', '/customers/me/change-tier', { headers, body });
      const options = { headers, body: { ...body, ...checkoutReturn() } };
      return callAsCustomer<{ url: string }>('POST', '/customers/me/checkout', options);
    },
    changes: isCheckout ? [] : [['me'], ['usage'], ['payments']],
    ...(!isCheckout && { done: 'Plan changed' }),
    onDone: (answer) => ('url' in answer ? onCheckout(answer.url as string) : onClose()),
  });
  return (
    <FormDialog
      title={`Change to ${tier.display_name}`}
      action={isCheckout ? 'Continue to the payment' : 'Change plan'}
      isBusy={change.isPending}
      error={change.error}
      onSubmit={() => change.mutate()}
      onClose={onClose}
    >
      <ul className="flex list-disc flex-col gap-2 pl-5">
        {describeConsequences(preview, { from: me.tier?.display_name, to: tier.display_name }).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </FormDialog>
  );
}

function WaitForPlan({ tier, url, onClose }: { tier: Tier; url: string; onClose: () => void }) {
  const { data } = useQuery({ ...meQuery, refetchInterval: POLL_MS });
  if (data?.subscription?.tier_id !== tier.id) return <Checkout url={url} onClose={onClose} />;
  return (
    <Dialog title="Payment" onClose={onClose}>
      <p role="status">Your plan is now {tier.display_name}.</p>
    </Dialog>
  );
}
