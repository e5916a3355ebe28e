/** An amount that is charged periodically. */
export interface RecurringPrice {
  /** Null if the amount is not fixed. */
  amountCents: bigint | null;
  currency: string;
  interval: string;
  /** Number of intervals between charges. */
  intervalCount: number;
}

/** Compares amount, currency and interval. */
export function isSamePrice(a: RecurringPrice, b: RecurringPrice): boolean {
  return (
    a.amountCents === b.amountCents &&
    a.currency === b.currency &&
    a.interval === b.interval &&
    a.intervalCount === b.intervalCount
  );
}

/** Formats a price for error messages, in cents: `2000 usd per month`. */
export function describePrice({ amountCents, currency, interval, intervalCount }: RecurringPrice): string {
  const every = intervalCount === 1 ? interval : `${intervalCount} ${interval}s`;
  return `${amountCents ?? 'a varying amount of'} ${currency} per ${every}`;
}
