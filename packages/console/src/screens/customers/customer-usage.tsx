import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { get } from '../../api/client.js';
import type { CustomerUsage } from '../../api/types.js';
import { formatCents, formatMoney } from '../../format/money.js';
import { formatCount } from '../../format/numbers.js';
import { formatDay } from '../../format/times.js';
import { Card, Stat } from '../../parts/card.js';
import { type Column, DataTable } from '../../parts/data-table.js';
import { Loaded } from '../../parts/states.js';
import { useProjectId } from '../../shell/use-list-search.js';

type Day = CustomerUsage['daily'][number];

const COLUMNS: readonly Column<Day>[] = [
  { header: 'Day', cell: ({ date }) => formatDay(date) },
  { header: 'Requests', cell: ({ requests }) => formatCount(requests), isFigure: true },
  { header: 'Tokens', cell: ({ tokens }) => formatCount(tokens), isFigure: true },
  { header: 'Charged', cell: ({ cost_microcents: cost }) => formatMoney(cost), isFigure: true },
];

/** Usage in the present billing window. */
export function CustomerUsageTab({ customerId }: { customerId: string }) {
  const projectId = useProjectId();
  const query = useQuery({
    queryKey: ['customer', projectId, customerId, 'usage'],
    queryFn: ({ signal }) =>
      get<{ usage: CustomerUsage }>(`/projects/${projectId}/customers/${customerId}/usage`, {}, signal),
  });
  return (
    <Loaded query={query}>
      {({ usage }) => (
        <>
          <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
            <Stat
              label="Charged"
              value={formatMoney(usage.total_cost_microcents)}
              note={`${formatDay(usage.window_start)} – ${formatDay(usage.window_end)}`}
            />
            <Stat label="Requests" value={formatCount(usage.requests)} />
            <Stat label="Tokens" value={formatCount(usage.tokens)} />
            <Limit usage={usage} />
          </div>
          <Card
            title="By day"
            aside={
              <Link
                to="/p/$projectId/requests"
                params={{ projectId }}
                search={{ customer: customerId }}
                className="text-accent hover:underline"
              >
                Show the requests
              </Link>
            }
            isFlush
          >
            {usage.daily.length === 0 ? (
              <p className="p-6 text-center text-soft">No requests in this billing window.</p>
            ) : (
              <DataTable label="Usage by day" rows={usage.daily} columns={COLUMNS} getKey={({ date }) => date} />
            )}
          </Card>
        </>
      )}
    </Loaded>
  );
}

function Limit({ usage }: { usage: CustomerUsage }) {
  const { spend_limit_cents: limit, percentage_used: used, wallet_balance_microcents: wallet } = usage;
  if (wallet !== undefined)
    return <Stat label="Wallet" value={formatMoney(wallet)} note={usage.low ? 'low' : undefined} />;
  if (limit === undefined) return <Stat label="Spend limit" value="none" />;
  return <Stat label="Spend limit" value={formatCents(limit)} note={`${(used ?? 0).toFixed(0)} % used`} />;
}
