import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { get } from '../../api/client.js';
import type { CustomerEnvelope, UsageRow } from '../../api/types.js';
import { formatMoney } from '../../format/money.js';
import { formatAmount } from '../../format/numbers.js';
import { Card } from '../../parts/card.js';
import { Loading } from '../../parts/states.js';
import { useProjectId } from '../../shell/use-list-search.js';

const SHOWN_MAX = 6;

export interface TopListProps {
  title: string;
  rows: readonly UsageRow[] | undefined;
  isCustomers?: boolean;
}

/** The groups with the most revenue, with bars that compare them. */
export function TopList({ title, rows, isCustomers = false }: TopListProps) {
  const top = [...(rows ?? [])].sort((a, b) => b.customer_microcents - a.customer_microcents).slice(0, SHOWN_MAX);
  const most = Math.max(1, ...top.map((row) => row.customer_microcents));
  return (
    <Card title={title}>
      {!rows && <Loading />}
      {rows && top.length === 0 && <p className="py-4 text-center text-soft">No requests in these days.</p>}
      <ol className="flex flex-col gap-3">
        {top.map((row) => (
          <li key={row.group}>
            <div className="flex justify-between gap-4">
              <GroupName group={row.group} isCustomer={isCustomers} />
              <span className="whitespace-nowrap tabular-nums">
                {formatMoney(row.customer_microcents)}{' '}
                <span className="text-soft">· {formatAmount(row.requests, 'request')}</span>
              </span>
            </div>
            <div className="mt-1 h-1 rounded bg-raised" aria-hidden>
              <div className="h-1 rounded bg-accent" style={{ width: `${(100 * row.customer_microcents) / most}%` }} />
            </div>
          </li>
        ))}
      </ol>
    </Card>
  );
}

/** A customer of another project of the account keeps its id. */
function GroupName({ group, isCustomer }: { group: string; isCustomer: boolean }) {
  const projectId = useProjectId();
  const { data } = useQuery({
    queryKey: ['customer', projectId, group],
    enabled: isCustomer && group !== 'none',
    retry: false,
    queryFn: ({ signal }) => get<CustomerEnvelope>(`/projects/${projectId}/customers/${group}`, {}, signal),
  });
  if (group === 'none') return <span className="text-soft">{isCustomer ? 'without a customer' : 'none'}</span>;
  if (!isCustomer) return <span className="truncate">{group}</span>;
  return (
    <Link
      to="/p/$projectId/customers/$customerId"
      params={{ projectId, customerId: group }}
      className="truncate hover:underline"
    >
      {data?.customer.external_id ?? <code className="font-mono text-xs">{group}</code>}
    </Link>
  );
}
