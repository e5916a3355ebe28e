import type { ProjectUsage } from '../../api/types.js';
import { formatDay } from '../../format/times.js';
import { BarChart } from '../../parts/bar-chart.js';
import type { Metric } from './metrics.js';

export interface UsageChartProps {
  rows: ProjectUsage['usage'];
  days: readonly string[];
  metric: Metric;
}

/** One figure by day; a day without requests is zero. */
export function UsageChart({ rows, days, metric: { label, read, format } }: UsageChartProps) {
  const byDay = new Map(rows.map((row) => [row.start?.slice(0, 10), row]));
  const points = days.map((day) => {
    const row = byDay.get(day);
    return { label: formatDay(day), values: [Math.max(0, (row && read(row)) ?? 0)] };
  });
  const series = [{ label, color: 'var(--series-1)' }];
  return <BarChart label={`${label} by day`} series={series} points={points} format={format} />;
}
