import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call, get } from '../../api/client.js';
import type { Wallet } from '../../api/types.js';
import { useAction } from '../../api/use-action.js';
import { formatMoney } from '../../format/money.js';
import { FormDialog } from '../../parts/dialog.js';
import { TextField } from '../../parts/field.js';
import type { CustomerDialogProps } from './customer-dialog.js';

/** Deletes a customer whose name was typed, because its money is lost. */
export function DeleteCustomer({ envelope: { customer }, onClose }: CustomerDialogProps) {
  const { id, project_id: projectId, external_id: name } = customer;
  const [typed, setTyped] = useState('');
  const [isAsked, setAsked] = useState(false);
  const navigate = useNavigate();
  const path = `/projects/${projectId}/customers/${id}`;
  const remove = useAction({
    act: () => call('DELETE', path, { query: { cancel_subscription: true } }),
    changes: [['customers', projectId]],
    done: 'Customer deleted',
    onDone: () => void navigate({ to: '/p/$projectId/customers', params: { projectId } }),
  });
  const submit = () => {
    setAsked(true);
    if (typed === name) remove.mutate();
  };
  return (
    <FormDialog
      title="Delete the customer"
      action="Delete"
      isDanger
      isBusy={remove.isPending}
      error={remove.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>
        {name} loses access at once, a running subscription is canceled, and <WalletLeft path={path} /> forfeited. This
        cannot be undone.
      </p>
      <TextField
        label={`Type ${name} to delete it`}
        autoComplete="off"
        value={typed}
        fault={isAsked && typed !== name ? 'This is not the name.' : undefined}
        onChange={(event) => setTyped(event.target.value)}
      />
    </FormDialog>
  );
}

/** The service answers 400 for a customer without a wallet. */
function WalletLeft({ path }: { path: string }) {
  const { data } = useQuery({
    queryKey: ['wallet', path],
    retry: false,
    queryFn: ({ signal }) => get<Wallet>(`${path}/balance`, {}, signal),
  });
  if (!data) return <>any credit is</>;
  return <>{formatMoney(data.balance_microcents, data.currency)} of credit is</>;
}
