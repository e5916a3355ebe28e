import { useQuery } from '@tanstack/react-query';
import type { creditWithdrawalSchema } from '@tollgate/api/billing';
import type { z } from 'zod';
import { call, get } from '../../api/client.js';
import type { Wallet } from '../../api/types.js';
import { formatMoney } from '../../format/money.js';
import { AmountDialog } from '../../money/amount-dialog.js';
import { Dialog } from '../../parts/dialog.js';
import { Loaded } from '../../parts/states.js';
import type { CustomerDialogProps } from './customer-dialog.js';

const MICROCENTS_IN_CENT = 1_000_000;

/** Takes granted credit back. Paid money is refunded from its payment instead. */
export function WithdrawCredit({ envelope: { customer }, onClose }: CustomerDialogProps) {
  const { id, project_id: projectId } = customer;
  const query = useQuery({
    queryKey: ['customer', projectId, id, 'wallet', 'granted'],
    queryFn: ({ signal }) => get<Wallet>(`/projects/${projectId}/customers/${id}/balance`, {}, signal),
  });
  const granted = query.data?.granted_microcents;
  if (query.data === undefined || granted === undefined || granted < MICROCENTS_IN_CENT)
    return (
      <Dialog title="Withdraw credit" onClose={onClose}>
        <Loaded query={query}>
          {() => <p className="text-soft">No granted credit is left. Refund paid money from its payment.</p>}
        </Loaded>
      </Dialog>
    );
  const { balance_microcents: balance, currency } = query.data;
  return (
    <AmountDialog
      title="Withdraw credit"
      action="Withdraw"
      isDanger
      initial={(Math.floor(granted / MICROCENTS_IN_CENT) / 100).toFixed(2)}
      hint={`Of the balance of ${formatMoney(balance, currency)}, ${formatMoney(granted, currency)} is granted credit that is not used.`}
      send={(amount_cents, headers) =>
        call<z.output<typeof creditWithdrawalSchema>>(
          'POST',
          `/projects/${projectId}/customers/${id}/credit/withdraw`,
          {
            headers,
            body: { amount_cents },
          },
        )
      }
      toConsequence={(cents) =>
        `The wallet falls to ${formatMoney(balance - cents * MICROCENTS_IN_CENT, currency)}. Nothing is paid out.`
      }
      changes={[['customer', projectId, id]]}
      done="Credit withdrawn"
      onDone={onClose}
      onClose={onClose}
    />
  );
}
