/** A half-open interval in epoch milliseconds. */
export interface BillingWindow {
  startMs: number;
  endMs: number;
}

export type PeriodInterval = 'month' | 'year';

/** A subscription's stored period, from which later ones follow. */
export interface PeriodSchedule {
  period: BillingWindow;
  interval: PeriodInterval;
  /** A start of a period whose day was not clamped to the end of a shorter month. Undefined: derived from the period. */
  anchorMs: number | undefined;
}

/** A schedule with the start of the window in which usage counts against the allowance. */
export interface WindowSchedule extends PeriodSchedule {
  windowStartMs: number;
}

export function toInterval(text: string | null | undefined): PeriodInterval {
  return text === 'year' ? 'year' : 'month';
}

/** Returns the calendar month (UTC): the window of a customer without a subscription. */
export function calendarMonth(nowMs: number): BillingWindow {
  const now = new Date(nowMs);
  const year = now.getUTCFullYear();
  const month = now.getUTCMonth();
  return { startMs: Date.UTC(year, month, 1), endMs: Date.UTC(year, month + 1, 1) };
}

/**
 * Returns the subscription's period that contains `nowMs`. Later periods follow from the stored one and its anchor, so
 * neither a late webhook event of the processor nor a late roll-over changes them.
 */
export function currentPeriod(schedule: PeriodSchedule, nowMs: number): BillingWindow {
  if (nowMs < schedule.period.endMs) return schedule.period;
  const months = toMonths(schedule.interval);
  const anchorMs = toAnchor(schedule);
  let passed = Math.floor(monthsBetween(anchorMs, nowMs) / months);
  if (addMonths(anchorMs, passed * months) > nowMs) passed -= 1;
  return { startMs: addMonths(anchorMs, passed * months), endMs: addMonths(anchorMs, (passed + 1) * months) };
}

/** Returns the window in which usage counts at `nowMs`. It can start before the current period, never after. */
export function currentWindow(schedule: WindowSchedule, nowMs: number): BillingWindow {
  const period = currentPeriod(schedule, nowMs);
  return period === schedule.period ? { ...period, startMs: schedule.windowStartMs } : period;
}

/** A change of a subscription's period. */
export interface PeriodChange {
  next: BillingWindow;
  /** Neither the tier nor the subscription changes. */
  isSameTier: boolean;
  /** The owner bills the subscription and says that a period starts. */
  isDeclared: boolean;
}

/**
 * Returns the start of the window that follows a change of the subscription. If the new period cuts the current window
 * short, the window continues, so that its usage counts against the new allowance. Only a renewal starts at zero.
 */
export function nextWindowStart(
  before: WindowSchedule & { hasEnded: boolean },
  { next, isSameTier, isDeclared }: PeriodChange,
): number {
  const { period, windowStartMs, hasEnded } = before;
  if (next.startMs === period.startMs) return windowStartMs;
  const hasPassed = next.startMs >= period.endMs;
  const isRenewed = isSameTier && (hasPassed || (isDeclared && next.startMs > period.startMs));
  if (isRenewed || (hasPassed && hasEnded)) return next.startMs;
  // Usage between the stored period and the new one was counted in a period that followed from the stored one.
  return hasPassed ? currentPeriod(before, next.startMs).startMs : windowStartMs;
}

/** Returns the period that starts at `startMs`. Its end is clamped to the last day of the month. */
export function periodFrom(startMs: number, interval: PeriodInterval): BillingWindow {
  return { startMs, endMs: addMonths(startMs, toMonths(interval)) };
}

/** Returns the anchor of a period: the known one if the period fits it, or else the side whose day was not clamped. */
export function toAnchor({ period, interval, anchorMs }: PeriodSchedule): number {
  const months = toMonths(interval);
  const isKnown = anchorMs !== undefined;
  if (isKnown && fits(anchorMs, months, period.startMs) && fits(anchorMs, months, period.endMs)) return anchorMs;
  return addMonths(period.startMs, months) === period.endMs ? period.startMs : period.endMs;
}

function fits(anchorMs: number, months: number, ms: number): boolean {
  const passed = monthsBetween(anchorMs, ms);
  return passed % months === 0 && addMonths(anchorMs, passed) === ms;
}

function toMonths(interval: PeriodInterval): number {
  return interval === 'year' ? 12 : 1;
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
