import { useQuery } from '@tanstack/react-query';
import type { refundEnvelopeSchema } from '@tollgate/api/billing';
import type { z } from 'zod';
import { call, get } from '../../api/client.js';
import type { PaymentDetail, Refund, Wallet } from '../../api/types.js';
import { formatCents, formatMoney } from '../../format/money.js';
import { AmountDialog } from '../../money/amount-dialog.js';
import { Status } from '../../parts/badge.js';
import { type Column, DataTable } from '../../parts/data-table.js';
import { Dialog } from '../../parts/dialog.js';
import { Loaded } from '../../parts/states.js';
import { When } from '../../parts/when.js';
import { useProjectId } from '../../shell/use-list-search.js';
import { describeRefund } from './describe-refund.js';

const MICROCENTS_IN_CENT = 1_000_000;

const COLUMNS: readonly Column<Refund>[] = [
  { header: 'When', cell: ({ created_at: at }) => <When at={at} /> },
  { header: 'Status', cell: ({ status }) => <Status value={status} /> },
  { header: 'Amount', cell: ({ amount_cents: cents, currency }) => formatCents(cents, currency), isFigure: true },
];

/** Refunds a top-up to its card. Says what the card gets and what the wallet keeps before anything is moved. */
export function RefundPayment({ paymentId, onClose }: { paymentId: string; onClose: () => void }) {
  const projectId = useProjectId();
  const query = useQuery({
    queryKey: ['payments', projectId, 'one', paymentId],
    queryFn: ({ signal }) => readDetail(projectId, paymentId, signal),
  });
  const { data } = query;
  if (!data?.wallet || data.detail.refundable_cents === 0)
    return (
      <Dialog title="Refund" onClose={onClose}>
        <Loaded query={query}>
          {({ detail }) => (
            <div className="flex flex-col gap-4">
              <p className="text-soft">Nothing is left to refund: the payment was returned, or its money was spent.</p>
              <Refunds refunds={detail.refunds} />
            </div>
          )}
        </Loaded>
      </Dialog>
    );
  const { detail, wallet } = data;
  const { refundable_cents: refundable, payment, refunds } = detail;
  const { balance_microcents: balance } = wallet;
  return (
    <AmountDialog
      title="Refund"
      action="Refund"
      isDanger
      initial={(refundable / 100).toFixed(2)}
      hint={`At most ${formatCents(refundable, payment.currency)} of ${formatCents(payment.amount_cents ?? 0, payment.currency)}.`}
      send={(amount_cents, headers) =>
        call<z.output<typeof refundEnvelopeSchema>>('POST', `/projects/${projectId}/payments/${paymentId}/refund`, {
          headers,
          body: { amount_cents },
        })
      }
      toConsequence={(cents) =>
        `${formatCents(cents, payment.currency)} returns to the card, and the wallet falls from ${formatMoney(balance)} to ${formatMoney(balance - cents * MICROCENTS_IN_CENT)}. This cannot be undone.`
      }
      changes={[['payments', projectId], ...toCustomerKey(projectId, payment.customer_id)]}
      done={({ refund }) => describeRefund(refund)}
      onDone={onClose}
      onClose={onClose}
    >
      <Refunds refunds={refunds} />
    </AmountDialog>
  );
}

function Refunds({ refunds }: { refunds: readonly Refund[] }) {
  if (refunds.length === 0) return null;
  return <DataTable label="Refunds so far" rows={refunds} columns={COLUMNS} getKey={({ id }) => id} />;
}

/** A deleted customer has no wallet, and nothing to refund. */
async function readDetail(projectId: string, paymentId: string, signal: AbortSignal) {
  const detail = await get<PaymentDetail>(`/projects/${projectId}/payments/${paymentId}`, {}, signal);
  const { customer_id: customerId } = detail.payment;
  if (detail.refundable_cents === 0 || customerId === undefined) return { detail, wallet: undefined };
  const wallet = await get<Wallet>(`/projects/${projectId}/customers/${customerId}/balance`, {}, signal);
  return { detail, wallet };
}

function toCustomerKey(projectId: string, customerId: string | undefined) {
  return customerId === undefined ? [] : [['customer', projectId, customerId]];
}
