import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { get } from '../../api/client.js';
import { formatAmount, formatCount } from '../../format/numbers.js';
import { useProjectId } from '../../shell/use-list-search.js';

/** Customers with a subscription to the tier, as a link to them. */
export function Subscribers({ tierCode, isLong = false }: { tierCode: string; isLong?: boolean }) {
  const projectId = useProjectId();
  const { data } = useQuery({
    queryKey: ['customers', projectId, 'of tier', tierCode],
    queryFn: ({ signal }) =>
      get<{ total?: number }>(
        `/projects/${projectId}/customers`,
        { tier_code: tierCode, total: true, limit: 1 },
        signal,
      ),
  });
  if (data?.total === undefined) return <>–</>;
  const text = isLong ? formatAmount(data.total, 'subscriber') : formatCount(data.total);
  return (
    <Link
      to="/p/$projectId/customers"
      params={{ projectId }}
      search={{ tier: tierCode }}
      className={isLong ? 'text-accent underline' : 'text-accent hover:underline'}
      aria-label={formatAmount(data.total, 'subscriber')}
    >
      {text}
    </Link>
  );
}
