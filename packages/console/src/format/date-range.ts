/** Ranges of days that a page can show; the URL has their name. */
export const RANGES = {
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  '90d': 'Last 90 days',
  month: 'This month',
} as const;

export type RangeName = keyof typeof RANGES;

export const DEFAULT_RANGE: RangeName = '30d';

/** Days of UTC: `from` inclusive, `to` exclusive. */
export interface DateRange {
  from: string;
  to: string;
  days: readonly string[];
}

const DAY_MS = 86_400_000;

export function readRangeName(text: unknown): RangeName | undefined {
  return typeof text === 'string' && Object.hasOwn(RANGES, text) ? (text as RangeName) : undefined;
}

/** Returns the days up to and with today. */
export function toDateRange(name: RangeName, nowMs: number): DateRange {
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS;
  const count = name === 'month' ? new Date(today).getUTCDate() : Number.parseInt(name, 10);
  const first = today - (count - 1) * DAY_MS;
  const days = Array.from({ length: count }, (_, i) => toDay(first + i * DAY_MS));
  return { from: toDay(first), to: toDay(today + DAY_MS), days };
}

/** Returns the day after a day that a person typed; undefined if it is not one. */
export function toNextDay(day: string | undefined): string | undefined {
  const ms = Date.parse(day ?? '');
  return Number.isNaN(ms) ? undefined : toDay(ms + DAY_MS);
}

function toDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
