import type { UsageRow } from '../../api/types.js';
import { formatMoney } from '../../format/money.js';
import { formatDay } from '../../format/times.js';
import { BarChart } from '../../parts/bar-chart.js';

const SERIES = [
  { label: 'Revenue', color: 'var(--series-1)' },
  { label: 'Cost', color: 'var(--series-2)' },
] as const;

/** Revenue and cost by day; days without requests are zero. */
export function SpendChart({ rows, days }: { rows: readonly UsageRow[]; days: readonly string[] }) {
  const byDay = new Map(rows.map((row) => [row.group, row]));
  const points = days.map((day) => {
    const row = byDay.get(day);
    return { label: formatDay(day), values: [row?.customer_microcents ?? 0, row?.provider_microcents ?? 0] };
  });
  return <BarChart label="Revenue and cost by day" series={SERIES} points={points} format={formatMoney} />;
}
