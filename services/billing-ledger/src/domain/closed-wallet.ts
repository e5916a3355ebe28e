/** The wallet of a deleted customer, in microcents. */
export interface ClosedWallet {
  /** Credits minus debits. */
  balance: bigint;
  /** Held for requests that were admitted before the deletion and are not settled yet. */
  held: bigint;
  /** Payments minus refunds and disputes. */
  paid: bigint;
  /** Forfeited so far, minus what was returned. */
  forfeited: bigint;
}

export interface ClosingEntry {
  kind: 'forfeited' | 'forfeit_returned' | 'promo_returned';
  microcents: bigint;
}

/**
 * Returns the entries that empty the wallet: paid money is forfeited, promotional credit returns to the promo account.
 * Promotional credit counts as used first. A later refund or charge is taken from the forfeited money.
 */
export function closingEntries({ balance, held, paid, forfeited }: ClosedWallet): ClosingEntry[] {
  const free = balance - held;
  if (free < 0n) return entry('forfeit_returned', least(-free, forfeited));
  const paidLeft = least(free, paid - forfeited);
  return [...entry('forfeited', paidLeft), ...entry('promo_returned', free - (paidLeft > 0n ? paidLeft : 0n))];
}

function entry(kind: ClosingEntry['kind'], microcents: bigint): ClosingEntry[] {
  return microcents > 0n ? [{ kind, microcents }] : [];
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
