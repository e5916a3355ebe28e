import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Payment, Tier, WalletEntry } from '../api/types.js';
import { formatMoney } from '../format/money.js';
import { formatAmount, ProcessorPages } from '../money/payment-parts.js';
import { Status } from '../parts/badge.js';
import { Button } from '../parts/button.js';
import { Card } from '../parts/card.js';
import { type Column, DataTable } from '../parts/data-table.js';
import { Pager } from '../parts/pager.js';
import { Loaded } from '../parts/states.js';
import { When } from '../parts/when.js';
import type { Me } from './account.js';
import { historyQuery, PAGE_LIMIT, paymentsQuery, tiersQuery, usageQuery } from './queries.js';
import { Receipt } from './receipt.js';

/** Purchases with receipts, and the transactions of the wallet. */
export function Payments({ me, projectName }: { me: Me; projectName: string }) {
  const usage = useQuery(usageQuery);
  const hasWallet = usage.data?.usage.wallet_balance_microcents !== undefined;
  return (
    <>
      <Purchases me={me} projectName={projectName} />
      {hasWallet && <History />}
    </>
  );
}

function Purchases({ me, projectName }: { me: Me; projectName: string }) {
  const [places, setPlaces] = useState<readonly (string | undefined)[]>([undefined]);
  const [shown, setShown] = useState<Payment>();
  const query = useQuery({ ...paymentsQuery(places.at(-1)), placeholderData: keepPreviousData });
  const tiers = useQuery(tiersQuery);
  const name = (payment: Payment) => describePayment(payment, tiers.data?.tiers);
  return (
    <Card title="Payments" isFlush>
      <Loaded query={query}>
        {({ payments, next_cursor: next }) =>
          payments.length === 0 ? (
            <p className="p-6 text-center text-soft">You have not paid anything yet.</p>
          ) : (
            <>
              <DataTable label="Payments" rows={payments} columns={toColumns(name, setShown)} getKey={({ id }) => id} />
              {(places.length > 1 || next !== undefined) && (
                <nav aria-label="Parts of the payments" className="flex justify-end gap-2 border-t px-4 py-2">
                  <Button disabled={places.length === 1} onClick={() => setPlaces(places.slice(0, -1))}>
                    Back
                  </Button>
                  <Button disabled={next === undefined} onClick={() => setPlaces([...places, next])}>
                    Next
                  </Button>
                </nav>
              )}
            </>
          )
        }
      </Loaded>
      {shown && (
        <Receipt
          payment={shown}
          name={name(shown)}
          email={me.customer.email}
          projectName={projectName}
          onClose={() => setShown(undefined)}
        />
      )}
    </Card>
  );
}

const DOINGS: Partial<Readonly<Record<Payment['kind'], string>>> = {
  wallet_topup: 'Top-up of the wallet',
  invoice: 'Invoice',
  refund: 'Refund',
  dispute: 'Dispute',
};

function describePayment({ kind, tier_id: tierId }: Payment, tiers: readonly Tier[] | undefined): string {
  const doing = DOINGS[kind];
  if (doing !== undefined) return doing;
  return `${kind === 'renewal' ? 'Renewal of plan' : kind === 'tier_change' ? 'Change to plan' : 'Plan'} ${tiers?.find(({ id }) => id === tierId)?.display_name ?? ''}`.trim();
}

function toColumns(name: (payment: Payment) => string, show: (payment: Payment) => void): readonly Column<Payment>[] {
  return [
    { header: 'When', cell: ({ created_at: at }) => <When at={at} /> },
    { header: 'For', cell: name },
    { header: 'Status', cell: ({ status }) => <Status value={status} />, isSecondary: true },
    {
      header: 'Amount',
      cell: (payment) => formatAmount(payment),
      isFigure: true,
    },
    { header: 'Documents', cell: (payment) => <ProcessorPages payment={payment} />, isSecondary: true },
    {
      header: 'Receipt',
      cell: (payment) =>
        payment.status === 'completed' && (
          <Button look="quiet" onClick={() => show(payment)}>
            Receipt
          </Button>
        ),
      isFigure: true,
    },
  ];
}

const HISTORY_COLUMNS: readonly Column<WalletEntry>[] = [
  { header: 'When', cell: ({ occurred_at: at }) => <When at={at} /> },
  { header: 'What', cell: ({ reason, model_id: model }) => model ?? reason.replaceAll('_', ' ') },
  { header: 'Amount', cell: (entry) => <Amount entry={entry} />, isFigure: true },
  {
    header: 'Balance after',
    cell: ({ balance_after_microcents: after }) => formatMoney(after),
    isFigure: true,
    isSecondary: true,
  },
];

function Amount({ entry: { direction, amount_microcents: amount } }: { entry: WalletEntry }) {
  if (direction === 'debit') return <>−{formatMoney(amount)}</>;
  return <span className="text-good">+{formatMoney(amount)}</span>;
}

function History() {
  const [offset, move] = useState(0);
  const query = useQuery({ ...historyQuery(offset), placeholderData: keepPreviousData });
  return (
    <Card title="Wallet" isFlush>
      <Loaded query={query}>
        {({ entries, next_cursor: next }) =>
          entries.length === 0 && offset === 0 ? (
            <p className="p-6 text-center text-soft">The wallet has no transactions yet.</p>
          ) : (
            <>
              <DataTable label="Wallet" rows={entries} columns={HISTORY_COLUMNS} getKey={({ id }) => id} />
              <Pager offset={offset} count={entries.length} limit={PAGE_LIMIT} next={next} onMove={move} />
            </>
          )
        }
      </Loaded>
    </Card>
  );
}
