import type { ReportRange } from './report-range.js';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
/** A statement with more ranges would cost more to plan than it saves. */
const RANGES_MAX = 64;

export type SpanSource = 'day' | 'hour' | 'row';

/** A part of a report's range, and from which table it is read. */
export interface UsageSpan extends ReportRange {
  source: SpanSource;
}

/** The first moments, in milliseconds, of days and hours whose sums are equal to the rows. */
export interface RolledUp {
  days: ReadonlySet<number>;
  hours: ReadonlySet<number>;
}

/** Divides a range into spans in order: whole days that are rolled up, then whole hours, and rows for the rest. */
export function toUsageSpans({ from, to }: ReportRange, { days, hours }: RolledUp): UsageSpan[] {
  const spans: { source: SpanSource; from: number; to: number }[] = [];
  const end = to.getTime();
  for (let at = from.getTime(); at < end; ) {
    const isDay = days.has(at) && at + DAY_MS <= end;
    const isHour = hours.has(at) && at + HOUR_MS <= end;
    const source = isDay ? 'day' : isHour ? 'hour' : 'row';
    const next = isDay ? at + DAY_MS : Math.min(end, (Math.floor(at / HOUR_MS) + 1) * HOUR_MS);
    const last = spans.at(-1);
    if (last?.source === source) last.to = next;
    else spans.push({ source, from: at, to: next });
    at = next;
  }
  if (spans.length > RANGES_MAX) return [{ source: 'row', from, to }];
  return spans.map((span) => ({ source: span.source, from: new Date(span.from), to: new Date(span.to) }));
}
