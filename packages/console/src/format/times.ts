const moment = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'medium' });
const day = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });
const time = new Intl.DateTimeFormat('en-US', { timeStyle: 'medium', hour12: false });
const localDay = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric' });
const month = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const relative = new Intl.RelativeTimeFormat('en-US', { numeric: 'auto', style: 'short' });

const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

export function formatMoment(at: string): string {
  return moment.format(new Date(at));
}

/** A day without time, such as `2026-11-23`. */
export function formatDay(date: string): string {
  return day.format(new Date(date));
}

/** A month such as `2026-11`, as `November 2026`. */
export function formatMonth(name: string): string {
  return month.format(new Date(`${name}-01`));
}

/** `3 min. ago`, `in 2 days`. */
export function formatAgo(at: string, nowMs: number): string {
  const seconds = Math.round((Date.parse(at) - nowMs) / 1_000);
  const [unit, size] = UNITS.find(([, each]) => Math.abs(seconds) >= each) ?? ['second', 1];
  return relative.format(Math.trunc(seconds / size), unit);
}

/** `06:06:06`; `Nov 23, 06:06:06` on another day. Times are local. */
export function formatTimeOfDay(at: string, nowMs: number): string {
  const then = new Date(at);
  const isToday = then.toDateString() === new Date(nowMs).toDateString();
  return isToday ? time.format(then) : `${localDay.format(then)}, ${time.format(then)}`;
}

/** `840 ms`, `12.3 s`, `4 m 05 s`. */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  return `${Math.floor(seconds / 60)} m ${String(seconds % 60).padStart(2, '0')} s`;
}
