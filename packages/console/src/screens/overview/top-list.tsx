import type { ProjectUsage } from '../../api/types.js';
import { formatMoney } from '../../format/money.js';
import { formatAmount } from '../../format/numbers.js';
import { Card } from '../../parts/card.js';
import { Loading } from '../../parts/states.js';
import { CustomerLink } from '../customers/customer-link.js';

const SHOWN_MAX = 6;

export interface TopListProps {
  title: string;
  rows: ProjectUsage['usage'] | undefined;
  isCustomers?: boolean;
}

/** The groups with the most usage, with bars that compare them. */
export function TopList({ title, rows, isCustomers = false }: TopListProps) {
  const top = [...(rows ?? [])].sort((a, b) => b.revenue_microcents - a.revenue_microcents).slice(0, SHOWN_MAX);
  const most = Math.max(1, ...top.map((row) => row.revenue_microcents));
  return (
    <Card title={title}>
      {!rows && <Loading />}
      {rows && top.length === 0 && <p className="py-4 text-center text-soft">No requests in these days.</p>}
      <ol className="flex flex-col gap-3">
        {top.map((row) => (
          <li key={row.group ?? ''}>
            <div className="flex justify-between gap-4">
              <GroupName group={row.group ?? 'none'} isCustomer={isCustomers} />
              <span className="whitespace-nowrap tabular-nums">
                {formatMoney(row.revenue_microcents)}{' '}
                <span className="text-soft">· {formatAmount(row.requests, 'request')}</span>
              </span>
            </div>
            <div className="mt-1 h-1 rounded bg-raised" aria-hidden>
              <div className="h-1 rounded bg-accent" style={{ width: `${(100 * row.revenue_microcents) / most}%` }} />
            </div>
          </li>
        ))}
      </ol>
    </Card>
  );
}

function GroupName({ group, isCustomer }: { group: string; isCustomer: boolean }) {
  if (group === 'none') return <span className="text-soft">{isCustomer ? 'without a customer' : 'none'}</span>;
  if (!isCustomer) return <span className="truncate">{group}</span>;
  return (
    <span className="truncate">
      <CustomerLink id={group} />
    </span>
  );
}
