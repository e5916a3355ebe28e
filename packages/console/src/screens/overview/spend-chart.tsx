import type { ProjectUsage } from '../../api/types.js';
import { formatMoney, moneyColumn } from '../../format/money.js';
import { formatDay } from '../../format/times.js';
import { BarChart } from '../../parts/bar-chart.js';

const SERIES = [
  { label: 'Usage at customer prices', color: 'var(--series-1)' },
  { label: 'Cost of providers', color: 'var(--series-2)' },
] as const;

/** Usage and cost by day; days without requests are zero. */
export function SpendChart({ rows, days }: { rows: ProjectUsage['usage']; days: readonly string[] }) {
  const byDay = new Map(rows.map((row) => [row.start?.slice(0, 10), row]));
  const points = days.map((day) => {
    const row = byDay.get(day);
    return { label: formatDay(day), values: [row?.revenue_microcents ?? 0, row?.cost_microcents ?? 0] };
  });
  return (
    <BarChart
      label="Usage and cost by day"
      series={SERIES}
      points={points}
      format={formatMoney}
      formatScale={moneyColumn}
    />
  );
}
