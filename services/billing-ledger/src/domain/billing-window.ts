/** A half-open interval in epoch milliseconds. */
export interface BillingWindow {
  startMs: number;
  endMs: number;
}

export type PeriodInterval = 'month' | 'year';

/** Returns the calendar month (UTC): the window of a customer without a subscription. */
export function calendarMonth(nowMs: number): BillingWindow {
  const now = new Date(nowMs);
  const year = now.getUTCFullYear();
  const month = now.getUTCMonth();
  return { startMs: Date.UTC(year, month, 1), endMs: Date.UTC(year, month + 1, 1) };
}

/**
 * Returns the subscription's period that contains `nowMs`. Later periods follow from the stored one, so a late webhook
 * event of the processor neither closes nor doubles an allowance.
 */
export function currentPeriod(stored: BillingWindow, interval: PeriodInterval, nowMs: number): BillingWindow {
  if (nowMs < stored.endMs) return stored;
  const months = interval === 'year' ? 12 : 1;
  let passed = Math.max(0, Math.floor(monthsBetween(stored.endMs, nowMs) / months) - 1);
  while (addMonths(stored.endMs, (passed + 1) * months) <= nowMs) passed += 1;
  return { startMs: addMonths(stored.endMs, passed * months), endMs: addMonths(stored.endMs, (passed + 1) * months) };
}

/** Returns the period that starts at `startMs`. Its end is clamped to the last day of the month. */
export function periodFrom(startMs: number, interval: PeriodInterval): BillingWindow {
  return { startMs, endMs: addMonths(startMs, interval === 'year' ? 12 : 1) };
}

function monthsBetween(fromMs: number, toMs: number): number {
  const from = new Date(fromMs);
  const to = new Date(toMs);
  return (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth();
}

function addMonths(ms: number, months: number): number {
  const date = new Date(ms);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, lastDay));
  return date.getTime();
}
