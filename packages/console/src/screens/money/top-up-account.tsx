import type { accountTopUpSchema } from '@tollgate/api/billing';
import { useState } from 'react';
import type { z } from 'zod';
import { call } from '../../api/client.js';
import { readFieldFaults } from '../../api/read-field-faults.js';
import { useAction } from '../../api/use-action.js';
import { useIdempotencyKey } from '../../api/use-idempotency-key.js';
import { readCents } from '../../format/money.js';
import { FormDialog } from '../../parts/dialog.js';
import { TextField } from '../../parts/field.js';

export type TopUp = z.output<typeof accountTopUpSchema>;

/** Leads to the checkout of the payment processor, which leads back here. */
export function TopUpAccount({ onClose }: { onClose: () => void }) {
  const [amount, setAmount] = useState('50.00');
  const cents = readCents(amount);
  const headers = useIdempotencyKey();
  const start = useAction({
    act: (amount_cents: number) =>
      call<TopUp>('POST', '/account/topup', {
        headers,
        body: { amount_cents, success_url: location.href, cancel_url: location.href },
      }),
    changes: [['account']],
    onDone: ({ checkout_url: url }) => url !== undefined && location.assign(url),
  });
  return (
    <FormDialog
      title="Top up the balance"
      action="Continue to the checkout"
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
        fault={cents === undefined ? 'An amount such as 50.00' : readFieldFaults(start.error).amount_cents}
        onChange={(event) => setAmount(event.target.value)}
      />
    </FormDialog>
  );
}
