import { type BillingWindow, calendarMonth } from './billing-window.js';

const DAY_MS = 86_400_000;

/** What every account is held to unless it has limits of its own; `undefined`: nothing. */
export interface ConfiguredLimits {
  /** Cents that an account without a paid top-up may spend in a day. */
  dailyCapCents: bigint | undefined;
  /** Request-weighted units in a calendar month. */
  quotaUnits: bigint | undefined;
}

/** The limit that applies to an account, in cents or units; `undefined`: none. `null` overrides with none. */
export function appliedLimit(override: bigint | null | undefined, configured: bigint | undefined): bigint | undefined {
  if (override === null) return undefined;
  return override ?? configured;
}

/** The day (UTC) over which the cap on granted credit counts. */
export function dayOf(nowMs: number): BillingWindow {
  const startMs = Math.floor(nowMs / DAY_MS) * DAY_MS;
  return { startMs, endMs: startMs + DAY_MS };
}

/** The month (UTC) over which the quota counts. */
export const quotaWindow = calendarMonth;
