import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { get } from '../../api/client.js';
import type { Payment } from '../../api/types.js';
import { formatCents } from '../../format/money.js';
import { formatAmount, ProcessorPages } from '../../money/payment-parts.js';
import { Status } from '../../parts/badge.js';
import { Button } from '../../parts/button.js';
import { Card } from '../../parts/card.js';
import { CursorPager } from '../../parts/cursor-pager.js';
import { type Column, DataTable } from '../../parts/data-table.js';
import { Select } from '../../parts/field.js';
import { Page } from '../../parts/page.js';
import { Empty, Loaded } from '../../parts/states.js';
import { When } from '../../parts/when.js';
import { useProjectId, useTexts } from '../../shell/use-list-search.js';
import { CustomerLink } from '../customers/customer-link.js';
import { RefundPayment } from './refund-payment.js';

const LIMIT = 50;

const STATUSES = [
  ['', 'All states'],
  ['pending', 'Pending'],
  ['completed', 'Completed'],
  ['expired', 'Expired'],
  ['failed', 'Failed'],
  ['disputed', 'Disputed'],
  ['won', 'Won'],
  ['lost', 'Lost'],
] as const;

const KINDS: Readonly<Record<Payment['kind'], string>> = {
  wallet_topup: 'Wallet top-up',
  subscription: 'Subscription',
  renewal: 'Renewal',
  tier_change: 'Change of the tier',
  invoice: 'Invoice',
  refund: 'Refund',
  dispute: 'Dispute',
};

/** Purchases of the project's customers. */
export function PaymentsScreen() {
  const projectId = useProjectId();
  const [{ status = '', cursor }, change] = useTexts();
  const query = useQuery({
    queryKey: ['payments', projectId, status, cursor],
    queryFn: ({ signal }) =>
      get<{ payments: Payment[]; next_cursor?: string }>(
        `/projects/${projectId}/payments`,
        { status, cursor, limit: LIMIT },
        signal,
      ),
    placeholderData: keepPreviousData,
  });
  const [refunded, setRefunded] = useState<string>();
  const columns = useMemo(() => toColumns(setRefunded), []);
  const filter = (
    <Select
      aria-label="State"
      className="!w-36"
      value={status}
      options={STATUSES}
      onPick={(value) => change({ status: value })}
    />
  );
  return (
    <Page
      title="Payments"
      hint="Payments of customers by card with their refunds and disputes, newest first."
      actions={filter}
      isWide
    >
      <Card isFlush>
        <Loaded query={query}>
          {({ payments, next_cursor: next }) =>
            payments.length === 0 && cursor === undefined ? (
              <Empty
                title="No payments"
                hint="A customer pays for a tier or a top-up of the wallet through a checkout."
              />
            ) : (
              <>
                <DataTable label="Payments" rows={payments} columns={columns} getKey={({ id }) => id} canSave />
                <CursorPager next={next} />
              </>
            )
          }
        </Loaded>
      </Card>
      {refunded !== undefined && <RefundPayment paymentId={refunded} onClose={() => setRefunded(undefined)} />}
    </Page>
  );
}

const toColumns = (onRefund: (id: string) => void): readonly Column<Payment>[] => [
  { header: 'When', cell: ({ created_at: at }) => <When at={at} /> },
  { header: 'For', cell: ({ kind }) => KINDS[kind] },
  { header: 'Customer', cell: ({ customer_id: id }) => <CustomerLink id={id} />, isSecondary: true },
  {
    header: 'Status',
    cell: ({ status, failure }) => (
      <>
        <Status value={status} />
        {failure !== undefined && <div className="mt-0.5 text-xs text-soft">{failure}</div>}
      </>
    ),
  },
  { header: 'Refunded', cell: (payment) => toRefund(payment), isFigure: true, isSecondary: true },
  {
    header: 'Amount',
    cell: (payment) => formatAmount(payment),
    isFigure: true,
  },
  { header: 'Documents', cell: (payment) => <ProcessorPages payment={payment} />, isSecondary: true },
  {
    header: 'Actions',
    cell: (payment) =>
      canRefund(payment) && (
        <Button needs="money.manage" onClick={() => onRefund(payment.id)}>
          Refund
        </Button>
      ),
    isFigure: true,
  },
];

/** Only top-ups: the payments of subscriptions are refunded at the card processor. */
function canRefund({ kind, status, amount_cents: cents = 0, reversed_cents: reversed }: Payment): boolean {
  return kind === 'wallet_topup' && status === 'completed' && cents > reversed;
}

function toRefund({ reversed_cents: cents, currency }: Payment): string {
  return cents === 0 ? '–' : formatCents(cents, currency);
}
