import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { get } from '../../api/client.js';
import { ApiFailure } from '../../api/failure.js';
import type { Wallet, WalletEntry } from '../../api/types.js';
import { formatMoney } from '../../format/money.js';
import { Card, Stat } from '../../parts/card.js';
import { type Column, DataTable } from '../../parts/data-table.js';
import { Pager } from '../../parts/pager.js';
import { Empty, Loaded } from '../../parts/states.js';
import { When } from '../../parts/when.js';
import { useOffset, useProjectId } from '../../shell/use-list-search.js';

const LIMIT = 50;

const COLUMNS: readonly Column<WalletEntry>[] = [
  { header: 'When', cell: ({ occurred_at: at }) => <When at={at} /> },
  { header: 'Reason', cell: ({ reason }) => reason.replaceAll('_', ' ') },
  { header: 'Description', cell: ({ description, model_id: model }) => model ?? description, isSecondary: true },
  { header: 'Amount', cell: (entry) => <Amount entry={entry} />, isFigure: true },
  { header: 'Balance after', cell: ({ balance_after_microcents: after }) => formatMoney(after), isFigure: true },
];

function Amount({ entry: { direction, amount_microcents: amount } }: { entry: WalletEntry }) {
  if (direction === 'debit') return <>−{formatMoney(amount)}</>;
  return <span className="text-good">+{formatMoney(amount)}</span>;
}

/** The service answers 400 for a customer who never was on a pay-as-you-go tier. */
function isWithoutWallet(error: unknown): boolean {
  return error instanceof ApiFailure && error.status === 400;
}

function NoWallet() {
  return (
    <Card>
      <Empty
        title="No wallet"
        hint="The tier of this customer has a spend limit. A pay-as-you-go tier comes with a wallet: change the tier to open one."
      />
    </Card>
  );
}

/** The wallet of a customer and its transactions, newest first. */
export function WalletHistory({ customerId }: { customerId: string }) {
  const projectId = useProjectId();
  const [offset, move] = useOffset();
  const path = `/projects/${projectId}/customers/${customerId}/balance`;
  const wallet = useQuery({
    queryKey: ['customer', projectId, customerId, 'wallet'],
    queryFn: ({ signal }) => get<Wallet>(path, {}, signal),
  });
  const history = useQuery({
    queryKey: ['customer', projectId, customerId, 'wallet', offset],
    queryFn: ({ signal }) =>
      get<{ entries: WalletEntry[]; next_cursor?: string }>(`${path}/history`, { limit: LIMIT, offset }, signal),
    placeholderData: keepPreviousData,
    enabled: wallet.data !== undefined,
  });
  if (isWithoutWallet(wallet.error)) return <NoWallet />;
  return (
    <>
      <Loaded query={wallet}>
        {({ balance_microcents: balance, reserved_microcents: reserved, currency }) => (
          <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
            <Stat label="Balance" value={formatMoney(balance, currency)} />
            <Stat label="Held for open requests" value={formatMoney(reserved, currency)} />
          </div>
        )}
      </Loaded>
      <Card title="Transactions" isFlush>
        <Loaded query={history}>
          {({ entries, next_cursor: next }) =>
            entries.length === 0 && offset === 0 ? (
              <p className="p-6 text-center text-soft">The wallet has no transactions yet.</p>
            ) : (
              <>
                <DataTable label="Transactions" rows={entries} columns={COLUMNS} getKey={({ id }) => id} />
                <Pager offset={offset} count={entries.length} limit={LIMIT} next={next} onMove={move} />
              </>
            )
          }
        </Loaded>
      </Card>
    </>
  );
}
