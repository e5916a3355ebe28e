import { useQueries, useQuery } from '@tanstack/react-query';
import { Link, Navigate } from '@tanstack/react-router';
import { get } from '../../api/client.js';
import { projectBalanceQuery } from '../../api/queries.js';
import type { AccountUsage } from '../../api/types.js';
import { type DateRange, toDateRange } from '../../format/date-range.js';
import { formatCents, formatMoney } from '../../format/money.js';
import { formatCount, formatPercent } from '../../format/numbers.js';
import { buttonClasses } from '../../parts/button.js';
import { Card, Stat } from '../../parts/card.js';
import { Page } from '../../parts/page.js';
import { Empty, Failure, Loading } from '../../parts/states.js';
import { RangePicker } from '../../shell/range-picker.js';
import { useMay } from '../../shell/role.js';
import { useProjectId, useRange } from '../../shell/use-list-search.js';
import { useIsOwnAccount } from '../../shell/use-places.js';
import { addUp } from './add-up.js';
import { Health } from './health.js';
import { SpendChart } from './spend-chart.js';
import { TopList } from './top-list.js';

const GROUPS = ['day', 'model', 'customer'] as const;

/** Earnings and costs of the account, over all its projects. Users of other accounts see those of the project alone. */
export function OverviewScreen() {
  const projectId = useProjectId();
  if (useMay('money.read')) return <Overview />;
  return <Navigate to="/p/$projectId/requests" params={{ projectId }} replace />;
}

function Overview() {
  const projectId = useProjectId();
  const [range] = useRange();
  const dates = toDateRange(range, Date.now());
  const [byDay, byModel, byCustomer] = useQueries({
    queries: GROUPS.map((group) => usageQuery(projectId, group, dates)),
  });
  const isOwnAccount = useIsOwnAccount();
  const scope = isOwnAccount === false ? 'This project' : 'All projects of the account';
  const error = byDay?.error ?? byModel?.error ?? byCustomer?.error;
  return (
    <Page title="Overview" hint={`${scope}, by days of UTC.`} actions={<RangePicker />}>
      {isOwnAccount && <LowBalance />}
      {error && <Failure error={error} onRetry={() => void byDay?.refetch()} />}
      <Totals usage={byDay?.data} isOwnAccount={isOwnAccount === true} />
      <Health dates={dates} />
      <Card title="Revenue and cost">
        {byDay?.data ? <SpendChart rows={byDay.data.usage} days={dates.days} /> : <Loading lines={6} />}
      </Card>
      <div className="grid gap-5 lg:grid-cols-2">
        <TopList title="Top models" rows={byModel?.data?.usage} />
        <TopList title="Top customers" rows={byCustomer?.data?.usage} isCustomers />
      </div>
    </Page>
  );
}

function usageQuery(projectId: string, group: (typeof GROUPS)[number], { from, to }: DateRange) {
  return {
    queryKey: ['usage', projectId, group, from, to],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      get<AccountUsage>(`/projects/${projectId}/account/usage`, { from, to, group_by: group, limit: 200 }, signal),
  };
}

function Totals({ usage, isOwnAccount }: { usage: AccountUsage | undefined; isOwnAccount: boolean }) {
  const projectId = useProjectId();
  if (!usage) return <Loading lines={2} />;
  const { requests, tokens, revenue, cost } = addUp(usage.usage);
  if (requests === 0) return <NoTraffic projectId={projectId} />;
  return (
    <div className="grid grid-cols-2 gap-3 lg:grid-cols-5">
      <Stat label="Revenue" value={formatMoney(revenue)} note="charged to customers" />
      <Stat label="Cost" value={formatMoney(cost)} note="of providers" />
      <Stat
        label="Margin"
        value={formatMoney(revenue - cost)}
        note={`${formatPercent(revenue - cost, revenue)} of revenue`}
      />
      <Stat label="Requests" value={formatCount(requests)} note={`${formatCount(tokens)} tokens`} />
      {isOwnAccount && <Balance />}
    </div>
  );
}

function Balance() {
  const { data } = useQuery(projectBalanceQuery(useProjectId()));
  const balance = data ? formatMoney(data.balance_microcents, data.currency) : '–';
  return <Stat label="Balance" value={balance} note="prepaid" />;
}

function NoTraffic({ projectId }: { projectId: string }) {
  const curl = [
    `curl ${location.origin}/api/v1/responses \\`,
    "  -H 'Authorization: Bearer YOUR_SECRET_KEY' -H 'Content-Type: application/json' \\",
    '  -d \'{"model":"sandbox/echo-1","input":[{"type":"message","role":"user","content":[{"type":"text","text":"Hello"}]}]}\'',
  ].join('\n');
  return (
    <Card>
      <Empty title="No requests in these days" hint="Send one from the playground, or with a secret key:" curl={curl}>
        <p>
          <Link to="/p/$projectId/playground" params={{ projectId }} className={buttonClasses('primary')}>
            Open the playground
          </Link>
        </p>
      </Empty>
    </Card>
  );
}

/** Warns before requests are refused. */
function LowBalance() {
  const projectId = useProjectId();
  const { data } = useQuery(projectBalanceQuery(projectId));
  if (!data || data.balance_microcents >= data.low_balance_threshold_cents * 1_000_000) return null;
  return (
    <div
      role="status"
      className="flex flex-wrap items-center justify-between gap-3 rounded-lg bg-warn-wash px-4 py-3 text-warn"
    >
      <span>
        The balance of {formatMoney(data.balance_microcents, data.currency)} is below{' '}
        {formatCents(data.low_balance_threshold_cents, data.currency)}. Without a balance, requests are refused.
      </span>
      <Link to="/p/$projectId/money" params={{ projectId }} className="font-medium underline">
        Top up
      </Link>
    </div>
  );
}
