export interface Period {
  startMs: number;
  endMs: number;
}

/** Returns the calendar month (UTC). */
export function calendarMonth(nowMs: number): Period {
  const first = new Date(nowMs);
  first.setUTCHours(0, 0, 0, 0);
  first.setUTCDate(1);
  return { startMs: first.getTime(), endMs: nextMonth(first.getTime()) };
}

/** Returns the same day and time a month later, or the last day of a shorter month. */
export function nextMonth(ms: number): number {
  const from = new Date(ms);
  const to = new Date(ms);
  to.setUTCMonth(from.getUTCMonth() + 1);
  // The day overflowed into the month after.
  if (to.getUTCDate() !== from.getUTCDate()) to.setUTCDate(0);
  return to.getTime();
}

/** Advances by whole periods until one contains `nowMs`. */
export function periodAt(stored: Period, nowMs: number): Period {
  let { startMs, endMs } = stored;
  while (endMs <= nowMs) {
    startMs = endMs;
    endMs = nextMonth(endMs);
  }
  return { startMs, endMs };
}
