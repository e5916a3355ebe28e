import { useState } from 'react';
import { call } from '../../api/client.js';
import { useAction } from '../../api/use-action.js';
import { FormDialog } from '../../parts/dialog.js';
import { SelectField } from '../../parts/field.js';
import { SecretDialog } from '../../parts/secret.js';
import type { CustomerDialogProps } from './customer-dialog.js';

const LIFETIMES = [
  ['600', '10 minutes'],
  ['3600', '1 hour'],
  ['86400', '1 day'],
] as const;

/** Mints a token with which an app acts as the customer. */
export function MintToken({ envelope: { customer, subscription }, onClose }: CustomerDialogProps) {
  const [ttl, setTtl] = useState('600');
  const mint = useAction({
    act: () =>
      call<{ token: string }>('POST', `/projects/${customer.project_id}/auth/customer-token`, {
        body: { customer_id: customer.id, ttl_seconds: Number(ttl) },
      }),
    changes: [['customer', customer.project_id, customer.id]],
  });
  if (mint.data) {
    const hint = 'It acts as this customer, on the models of the tier, until it expires.';
    return <SecretDialog title="Token" secret={mint.data.token} hint={hint} onClose={onClose} />;
  }
  return (
    <FormDialog
      title="Mint a token"
      action="Mint"
      isBusy={mint.isPending}
      error={mint.error}
      onSubmit={() => mint.mutate()}
      onClose={onClose}
    >
      {subscription === null && <p className="text-soft">The customer has no tier yet. Set one first.</p>}
      <SelectField label="Valid for" value={ttl} options={LIFETIMES} onPick={setTtl} />
    </FormDialog>
  );
}
