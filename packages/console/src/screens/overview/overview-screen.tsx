import { useQuery } from '@tanstack/react-query';
import { Link, Navigate } from '@tanstack/react-router';
import { get } from '../../api/client.js';
import { projectBalanceQuery } from '../../api/queries.js';
import type { PaymentTotals, ProjectUsage, UsageFigures } from '../../api/types.js';
import { type DateRange, toDateRange } from '../../format/date-range.js';
import { formatCents, formatMoney } from '../../format/money.js';
import { formatAmount, formatCount, formatPercent } from '../../format/numbers.js';
import { buttonClasses } from '../../parts/button.js';
import { Card, Stat } from '../../parts/card.js';
import { Page } from '../../parts/page.js';
import { Empty, Failure, Loading } from '../../parts/states.js';
import { RangePicker } from '../../shell/range-picker.js';
import { useMay } from '../../shell/role.js';
import { useProjectId, useRange } from '../../shell/use-list-search.js';
import { useIsOwnAccount } from '../../shell/use-places.js';
import { Health } from './health.js';
import { SpendChart } from './spend-chart.js';
import { TopList } from './top-list.js';

/** Usage and payments of the project. Its money is shown to roles that may read it; others see the requests. */
export function OverviewScreen() {
  const projectId = useProjectId();
  if (useMay('money.read')) return <Overview />;
  return <Navigate to="/p/$projectId/requests" params={{ projectId }} replace />;
}

function Overview() {
  const [range] = useRange();
  const dates = toDateRange(range, Date.now());
  const byDay = useUsage(dates, { interval: 'day' });
  const byModel = useUsage(dates, { interval: 'total', group_by: 'model' });
  const byCustomer = useUsage(dates, { interval: 'total', group_by: 'customer' });
  const isOwnAccount = useIsOwnAccount();
  const error = byDay.error ?? byModel.error ?? byCustomer.error;
  return (
    <Page title="Overview" hint="This project, by days of UTC." actions={<RangePicker />}>
      {isOwnAccount && <LowBalance />}
      {error && <Failure error={error} onRetry={() => void byDay.refetch()} />}
      {byDay.data ? <Totals totals={byDay.data.totals} dates={dates} /> : <Loading lines={2} />}
      {byDay.data && <Health totals={byDay.data.totals} />}
      <Card title="Usage and cost">
        {byDay.data ? <SpendChart rows={byDay.data.usage} days={dates.days} /> : <Loading lines={6} />}
      </Card>
      <div className="grid gap-5 lg:grid-cols-2">
        <TopList title="Top models" rows={byModel.data?.usage} />
        <TopList title="Top customers" rows={byCustomer.data?.usage} isCustomers />
      </div>
    </Page>
  );
}

function useUsage({ from, to }: DateRange, grouping: { interval: string; group_by?: string }) {
  const projectId = useProjectId();
  const asked = { from, to, ...grouping };
  return useQuery({
    queryKey: ['usage', projectId, asked],
    queryFn: ({ signal }) => get<ProjectUsage>(`/projects/${projectId}/usage`, asked, signal),
  });
}

function Totals({ totals, dates }: { totals: UsageFigures; dates: DateRange }) {
  const projectId = useProjectId();
  const isOwnAccount = useIsOwnAccount() === true;
  const { requests, revenue_microcents: usage, cost_microcents: cost, margin_microcents: margin } = totals;
  if (requests === 0) return <NoTraffic projectId={projectId} />;
  const tokens = totals.input_tokens + totals.output_tokens;
  return (
    <div className="grid grid-cols-2 gap-3 lg:grid-cols-3 xl:grid-cols-6">
      <Received dates={dates} />
      <Stat label="Usage" value={formatMoney(usage)} note="at customer prices" />
      <Stat label="Cost" value={formatMoney(cost)} note="of providers" />
      <Stat label="Margin" value={formatMoney(margin)} note={`${formatPercent(margin, usage)} of the usage`} />
      <Stat label="Requests" value={formatCount(requests)} note={`${formatCount(tokens)} tokens`} />
      {isOwnAccount && <Balance />}
    </div>
  );
}

/** What customers have paid by card: for subscriptions, and in advance for their wallets. */
function Received({ dates: { from, to } }: { dates: DateRange }) {
  const projectId = useProjectId();
  const asked = { from, to, totals: true, limit: 1 };
  const { data } = useQuery({
    queryKey: ['payments', projectId, asked],
    queryFn: ({ signal }) => get<{ totals?: PaymentTotals[] }>(`/projects/${projectId}/payments`, asked, signal),
  });
  const totals = data?.totals ?? [];
  const net = totals.map(({ net_cents: cents, currency }) => formatCents(cents, currency));
  const count = totals.reduce((sum, each) => sum + each.count, 0);
  return (
    <Stat
      label="Payments received"
      value={data ? net.join(' + ') || formatCents(0) : '–'}
      note={`${formatAmount(count, 'payment')}, less refunds and disputes`}
    />
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
