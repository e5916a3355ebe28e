import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { AmountDialog } from '../money/amount-dialog.js';
import { useToast } from '../parts/toasts.js';
import { Checkout, checkoutReturn } from './checkout.js';
import { callAsCustomer } from './portal-session.js';
import { paymentsQuery } from './queries.js';

const POLL_MS = 3_000;

interface Started {
  id: string;
  url: string;
}

/** Pays by card on a page of the payment processor, in another tab: this page keeps its session in memory. */
export function TopUp({ onClose }: { onClose: () => void }) {
  const [started, setStarted] = useState<Started>();
  if (started) return <Waiting started={started} onClose={onClose} />;
  return (
    <AmountDialog
      title="Top up"
      action="Continue"
      initial="10.00"
      hint="You pay by card on a page of our payment provider."
      send={(credit_amount_cents, headers) =>
        callAsCustomer<Started>('POST', '/customers/me/topup', {
          headers,
          body: { credit_amount_cents, ...checkoutReturn() },
        })
      }
      changes={[['payments']]}
      onDone={setStarted}
      onClose={onClose}
    />
  );
}

function Waiting({ started: { id, url }, onClose }: { started: Started; onClose: () => void }) {
  const client = useQueryClient();
  const say = useToast();
  const { data } = useQuery({ ...paymentsQuery(undefined), refetchInterval: POLL_MS });
  const status = data?.payments.find((payment) => payment.id === id)?.status;
  useEffect(() => {
    if (status !== 'completed') return;
    say('Payment received');
    onClose();
    void Promise.all(['usage', 'history'].map((name) => client.invalidateQueries({ queryKey: [name] })));
  }, [status, client, say, onClose]);
  return <Checkout url={url} hasFailed={status === 'failed' || status === 'expired'} onClose={onClose} />;
}
