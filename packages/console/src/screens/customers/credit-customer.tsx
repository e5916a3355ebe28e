import type { customerCreditSchema } from '@tollgate/api/billing';
import { useState } from 'react';
import type { z } from 'zod';
import { call } from '../../api/client.js';
import { AmountDialog } from '../../money/amount-dialog.js';
import { SelectField } from '../../parts/field.js';
import type { CustomerDialogProps } from './customer-dialog.js';

const REASONS = [
  ['promo', 'Promotional credit'],
  ['adjustment', 'Correction of the balance'],
] as const;

/** Adds credit to the wallet without a payment. A second click adds nothing more. */
export function CreditCustomer({ envelope: { customer }, onClose }: CustomerDialogProps) {
  const { id, project_id: projectId } = customer;
  const [reason, setReason] = useState('promo');
  return (
    <AmountDialog
      title="Grant credit"
      action="Grant"
      initial="5.00"
      hint="In dollars. It is added to the wallet without a payment."
      send={(amount_cents, headers) =>
        call<z.output<typeof customerCreditSchema>>('POST', `/projects/${projectId}/customers/${id}/credit`, {
          headers,
          body: { amount_cents, reason },
        })
      }
      content={reason}
      changes={[['customer', projectId, id]]}
      done="Credit granted"
      onDone={onClose}
      onClose={onClose}
    >
      <SelectField label="Reason" value={reason} options={REASONS} onPick={setReason} />
    </AmountDialog>
  );
}
