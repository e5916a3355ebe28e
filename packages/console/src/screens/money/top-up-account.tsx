import type { accountTopUpSchema } from '@tollgate/api/billing';
import type { z } from 'zod';
import { call } from '../../api/client.js';
import { AmountDialog } from '../../money/amount-dialog.js';

export type TopUp = z.output<typeof accountTopUpSchema>;

/** Leads to the checkout of the payment processor, which leads back here. */
export function TopUpAccount({ onClose }: { onClose: () => void }) {
  return (
    <AmountDialog
      title="Top up the balance"
      action="Continue to the checkout"
      initial="50.00"
      send={(amount_cents, headers) =>
        call<TopUp>('POST', '/account/topup', {
          headers,
          body: { amount_cents, success_url: location.href, cancel_url: location.href },
        })
      }
      changes={[['account']]}
      onDone={({ checkout_url: url }) => url !== undefined && location.assign(url)}
      onClose={onClose}
    />
  );
}
