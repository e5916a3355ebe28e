import type { customerCreditSchema } from '@tollgate/api/billing';
import { useState } from 'react';
import type { z } from 'zod';
import { call } from '../../api/client.js';
import { readFieldFaults } from '../../api/read-field-faults.js';
import { useAction } from '../../api/use-action.js';
import { useIdempotencyKey } from '../../api/use-idempotency-key.js';
import { readCents } from '../../format/money.js';
import { FormDialog } from '../../parts/dialog.js';
import { SelectField, TextField } from '../../parts/field.js';
import type { CustomerDialogProps } from './customer-dialog.js';

const REASONS = [
  ['promo', 'Promotional credit'],
  ['adjustment', 'Correction of the balance'],
] as const;

/** Adds credit to the wallet without a payment. A second click adds nothing more. */
export function CreditCustomer({ envelope: { customer }, onClose }: CustomerDialogProps) {
  const { id, project_id: projectId } = customer;
  const [amount, setAmount] = useState('5.00');
  const [reason, setReason] = useState('promo');
  const headers = useIdempotencyKey();
  const cents = readCents(amount);
  const grant = useAction({
    act: (amount_cents: number) =>
      call<z.output<typeof customerCreditSchema>>('POST', `/projects/${projectId}/customers/${id}/credit`, {
        headers,
        body: { amount_cents, reason },
      }),
    changes: [['customer', projectId, id]],
    done: 'Credit granted',
    onDone: onClose,
  });
  return (
    <FormDialog
      title="Grant credit"
      action="Grant"
      isBusy={grant.isPending}
      error={grant.error}
      onSubmit={() => cents !== undefined && grant.mutate(cents)}
      onClose={onClose}
    >
      <TextField
        label="Amount"
        inputMode="decimal"
        required
        value={amount}
        hint="In dollars. It is added to the wallet without a payment."
        fault={cents === undefined ? 'An amount such as 5.00' : readFieldFaults(grant.error).amount_cents}
        onChange={(event) => setAmount(event.target.value)}
      />
      <SelectField label="Reason" value={reason} options={REASONS} onPick={setReason} />
    </FormDialog>
  );
}
