import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import type { UsageRow } from '../../api/types.js';
import { formatMoney } from '../../format/money.js';
import { formatDay } from '../../format/times.js';

const SERIES = [
  { key: 'revenue', label: 'Revenue', color: 'var(--series-1)' },
  { key: 'cost', label: 'Cost', color: 'var(--series-2)' },
] as const;

const BAR_WIDTH_MAX = 18;

/** Revenue and cost by day; days without requests are zero. */
export function SpendChart({ rows, days }: { rows: readonly UsageRow[]; days: readonly string[] }) {
  const byDay = new Map(rows.map((row) => [row.group, row]));
  const points = days.map((day) => ({
    day,
    revenue: byDay.get(day)?.customer_microcents ?? 0,
    cost: byDay.get(day)?.provider_microcents ?? 0,
  }));
  return (
    <figure>
      <figcaption className="mb-3 flex gap-4 text-soft">
        {SERIES.map(({ key, label, color }) => (
          <span key={key} className="inline-flex items-center gap-1.5">
            <span className="size-2.5 rounded-full" style={{ background: color }} aria-hidden /> {label}
          </span>
        ))}
      </figcaption>
      <div className="h-60">
        <ResponsiveContainer width="100%" height="100%">
          <BarChart data={points} margin={{ top: 4, right: 4, bottom: 0, left: 0 }} barGap={1} accessibilityLayer={false}>
            <CartesianGrid vertical={false} stroke="var(--line)" />
            <XAxis dataKey="day" tickFormatter={formatDay} minTickGap={32} {...AXIS} />
            <YAxis tickFormatter={(value: number) => formatMoney(value)} width={72} {...AXIS} />
            <Tooltip content={DayTooltip} cursor={{ fill: 'var(--raised)' }} isAnimationActive={false} />
            {SERIES.map(({ key, color }) => (
              <Bar key={key} dataKey={key} fill={color} maxBarSize={BAR_WIDTH_MAX} radius={[3, 3, 0, 0]} isAnimationActive={false} />
            ))}
          </BarChart>
        </ResponsiveContainer>
      </div>
    </figure>
  );
}

const AXIS = {
  stroke: 'var(--line)',
  tick: { fill: 'var(--soft)', fontSize: 12 },
  tickLine: false,
  axisLine: false,
} as const;

interface DayTooltipProps {
  active?: boolean;
  label?: string | number;
  payload?: readonly { dataKey?: unknown; value?: unknown }[];
}

function DayTooltip({ active = false, label, payload = [] }: DayTooltipProps) {
  if (!active) return null;
  return (
    <div className="rounded-lg border bg-surface px-3 py-2 shadow-lg">
      <div className="font-medium">{formatDay(String(label))}</div>
      {SERIES.map(({ key, label: name }) => (
        <div key={key} className="flex justify-between gap-6 text-soft tabular-nums">
          <span>{name}</span>
          <span>{formatMoney(Number(payload.find((each) => each.dataKey === key)?.value ?? 0))}</span>
        </div>
      ))}
    </div>
  );
}
