/** What a price charges, and how often. */
export interface RecurringPrice {
  /** Null: not a fixed amount. */
  amountCents: bigint | null;
  currency: string;
  interval: string;
  /** Intervals from one charge to the next. */
  intervalCount: number;
}

/** True when a tier says of itself what the processor charges for it. */
export function isSamePrice(a: RecurringPrice, b: RecurringPrice): boolean {
  return (
    a.amountCents === b.amountCents &&
    a.currency === b.currency &&
    a.interval === b.interval &&
    a.intervalCount === b.intervalCount
  );
}

/** For example `2000 usd per month`, the amount in cents. */
export function describePrice({ amountCents, currency, interval, intervalCount }: RecurringPrice): string {
  const every = intervalCount === 1 ? interval : `${intervalCount} ${interval}s`;
  return `${amountCents ?? 'a varying amount of'} ${currency} per ${every}`;
}
