import { type BillingWindow, calendarMonth } from './billing-window.js';

const DAY_MS = 86_400_000;

/** Limits of accounts without overrides; undefined = no limit. */
export interface ConfiguredLimits {
  /** Cents that an account without a paid top-up may spend per day. */
  dailyCapCents: bigint | undefined;
  /** Request-weighted units per calendar month. */
  quotaUnits: bigint | undefined;
}

/** Returns an account's limit in cents or units; undefined = no limit. A `null` override removes the configured limit. */
export function appliedLimit(override: bigint | null | undefined, configured: bigint | undefined): bigint | undefined {
  if (override === null) return undefined;
  return override ?? configured;
}

/** Returns the day (UTC) to which the cap on granted credit applies. */
export function calendarDay(nowMs: number): BillingWindow {
  const startMs = Math.floor(nowMs / DAY_MS) * DAY_MS;
  return { startMs, endMs: startMs + DAY_MS };
}

/** Returns the month (UTC) to which the quota applies. */
export const quotaWindow = calendarMonth;
