import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CustomerEnvelope, CustomerUsage, Tier } from '../api/types.js';
import { formatCents, formatMoney, moneyColumn } from '../format/money.js';
import { formatAmount } from '../format/numbers.js';
import { formatDay } from '../format/times.js';
import { BarChart } from '../parts/bar-chart.js';
import { Button } from '../parts/button.js';
import { Card, Stat } from '../parts/card.js';
import { Loaded } from '../parts/states.js';
import { listDays } from './list-days.js';
import { usageQuery } from './queries.js';
import { TopUp } from './top-up.js';

export type Me = CustomerEnvelope & { tier: Tier | null };

export function Account({ me, onPlans }: { me: Me; onPlans: () => void }) {
  const query = useQuery(usageQuery);
  const [isPaying, setPaying] = useState(false);
  return (
    <Loaded query={query}>
      {({ usage }) => (
        <>
          <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-4">
            <Allowance usage={usage} />
            <Wallet usage={usage} />
            <Stat label="Plan" value={me.tier?.display_name ?? 'none'} note={describePeriod(me)} />
            <Stat
              label="Used in this period"
              value={formatMoney(usage.total_cost_microcents)}
              note={`${formatAmount(usage.requests, 'request')} · ${formatAmount(usage.tokens, 'token')}`}
            />
          </div>
          <div className="flex flex-wrap gap-2">
            {usage.wallet_balance_microcents !== undefined && (
              <Button look="primary" onClick={() => setPaying(true)}>
                Top up
              </Button>
            )}
            <Button onClick={onPlans}>Change plan</Button>
          </div>
          <Card title="Usage by day">
            <BarChart
              label="Usage by day"
              series={[{ label: 'Charged', color: 'var(--series-1)' }]}
              points={toPoints(usage)}
              format={formatMoney}
              formatScale={moneyColumn}
            />
          </Card>
          {isPaying && <TopUp onClose={() => setPaying(false)} />}
        </>
      )}
    </Loaded>
  );
}

/** The allowance of the plan is used before the wallet. */
function Allowance({ usage: { spend_limit_cents: limit, spend_remaining_microcents: left = 0, ...usage } }: HasUsage) {
  if (limit !== undefined)
    return <Stat label="Left in this period" value={formatMoney(left)} note={`of ${formatCents(limit)}`} />;
  return usage.wallet_balance_microcents === undefined ? <Stat label="Spend limit" value="none" /> : null;
}

function Wallet({
  usage: { wallet_balance_microcents: balance, wallet_reserved_microcents: held = 0, low },
}: HasUsage) {
  if (balance === undefined) return null;
  const note = held > 0 ? `${formatMoney(held)} held for open requests` : low ? 'low' : undefined;
  return <Stat label="Balance" value={formatMoney(balance)} note={note} />;
}

interface HasUsage {
  usage: CustomerUsage;
}

function describePeriod({ subscription }: Me): string | undefined {
  if (!subscription) return undefined;
  const { price_amount_cents: cents, price_currency: currency, price_interval: interval } = subscription;
  const end = formatDay(subscription.current_period_end);
  return cents === undefined ? `until ${end}` : `${formatCents(cents, currency)} a ${interval} · until ${end}`;
}

function toPoints({ daily, window_start: start, window_end: end }: CustomerUsage) {
  const byDay = new Map(daily.map(({ date, cost_microcents: cost }) => [date, cost]));
  return listDays(start, end, Date.now()).map((day) => ({ label: formatDay(day), values: [byDay.get(day) ?? 0] }));
}
