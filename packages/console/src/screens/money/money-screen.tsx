import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { FileText } from 'lucide-react';
import { useState } from 'react';
import { get } from '../../api/client.js';
import { balanceQuery } from '../../api/queries.js';
import { formatCents, formatMoney } from '../../format/money.js';
import { Badge, Status } from '../../parts/badge.js';
import { Button, buttonClasses } from '../../parts/button.js';
import { Card, Stat } from '../../parts/card.js';
import { type Column, DataTable } from '../../parts/data-table.js';
import { Page } from '../../parts/page.js';
import { Pager } from '../../parts/pager.js';
import { Empty, Loaded } from '../../parts/states.js';
import { When } from '../../parts/when.js';
import { useOffset, useProjectId } from '../../shell/use-list-search.js';
import { AutoTopUp } from './auto-top-up.js';
import { LedgerCheck } from './ledger-check.js';
import { type TopUp, TopUpAccount } from './top-up-account.js';

const LIMIT = 50;

const COLUMNS: readonly Column<TopUp>[] = [
  { header: 'When', cell: ({ created_at: at }) => <When at={at} /> },
  { header: 'Status', cell: ({ status }) => <Status value={status} /> },
  { header: 'Kind', cell: ({ automatic }) => (automatic ? <Badge>automatic</Badge> : 'by hand'), isSecondary: true },
  { header: 'Amount', cell: ({ amount_cents: cents, currency }) => formatCents(cents, currency), isFigure: true },
  {
    header: 'Actions',
    isFigure: true,
    cell: ({ status, checkout_url: url }) =>
      status === 'pending' && url !== undefined ? (
        <a href={url} className="font-medium text-accent hover:underline">
          Pay
        </a>
      ) : null,
  },
];

/** The owner's own money: what pays the providers. */
export function MoneyScreen() {
  const projectId = useProjectId();
  const [offset, move] = useOffset();
  const [isToppingUp, setToppingUp] = useState(false);
  const balance = useQuery(balanceQuery);
  const query = useQuery({
    queryKey: ['account', 'topups', offset],
    queryFn: ({ signal }) =>
      get<{ topups: TopUp[]; next_cursor?: string }>('/account/topups', { limit: LIMIT, offset }, signal),
    placeholderData: keepPreviousData,
  });
  const actions = (
    <>
      <Link to="/p/$projectId/money/statements" params={{ projectId }} className={buttonClasses()}>
        <FileText className="size-4" aria-hidden /> Statements of the balance
      </Link>
      <Button look="primary" onClick={() => setToppingUp(true)}>
        Top up
      </Button>
    </>
  );
  return (
    <Page title="Money" hint="The prepaid balance of the account, from which providers are paid." actions={actions}>
      <Loaded query={balance}>
        {({ balance_microcents: amount, currency, low_balance_threshold_cents: low }) => (
          <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
            <Stat label="Balance" value={formatMoney(amount, currency)} />
            <Stat label="Low below" value={formatCents(low, currency)} />
          </div>
        )}
      </Loaded>
      <Card title="Top-ups" isFlush>
        <Loaded query={query}>
          {({ topups, next_cursor: next }) =>
            topups.length === 0 && offset === 0 ? (
              <Empty
                title="No top-ups yet"
                hint="A top-up is paid by card and credited once the payment is confirmed."
              />
            ) : (
              <>
                <DataTable label="Top-ups" rows={topups} columns={COLUMNS} getKey={({ id }) => id} />
                <Pager offset={offset} count={topups.length} limit={LIMIT} next={next} onMove={move} />
              </>
            )
          }
        </Loaded>
      </Card>
      <AutoTopUp />
      <LedgerCheck />
      {isToppingUp && <TopUpAccount onClose={() => setToppingUp(false)} />}
    </Page>
  );
}
