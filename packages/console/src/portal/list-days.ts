const DAY_MS = 86_400_000;
/** The newest days of a longer window. */
const DAYS_MAX = 62;

/** Returns the days of a window up to today. `end` is exclusive, unless the window starts and ends on one day. */
export function listDays(start: string, end: string, nowMs: number): string[] {
  const first = Date.parse(start);
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS;
  const last = Math.max(first, Math.min(Date.parse(end), today));
  const count = Math.min(DAYS_MAX, (last - first) / DAY_MS + 1);
  return Array.from({ length: count }, (_, i) => new Date(last - (count - 1 - i) * DAY_MS).toISOString().slice(0, 10));
}
