export interface Period {
  startMs: number;
  endMs: number;
}

/** Returns the calendar month (UTC). */
export function calendarMonth(nowMs: number): Period {
  const first = new Date(nowMs);
  first.setUTCHours(0, 0, 0, 0);
  first.setUTCDate(1);
  return { startMs: first.getTime(), endMs: monthsLater(first.getTime(), 1) };
}

/** Returns the same day and time some months later, or the last day of a shorter month. */
export function monthsLater(ms: number, months: number): number {
  const from = new Date(ms);
  const to = new Date(ms);
  to.setUTCMonth(from.getUTCMonth() + months);
  // The day overflowed into the month after.
  if (to.getUTCDate() !== from.getUTCDate()) to.setUTCDate(0);
  return to.getTime();
}

/** Returns the start of the window at `nowMs`: of the first period, the stored one; of later periods, their own start. */
export function windowStartAt(first: { startMs: number; windowMs: number }, nowMs: number): number {
  let months = 0;
  while (monthsLater(first.startMs, months + 1) <= nowMs) months += 1;
  return months === 0 ? first.windowMs : monthsLater(first.startMs, months);
}
