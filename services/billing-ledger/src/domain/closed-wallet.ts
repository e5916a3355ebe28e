/** The wallet of a customer that was deleted, in microcents. */
export interface ClosedWallet {
  /** Credits less debits. */
  balance: bigint;
  /** For requests that were admitted before and are not settled yet. */
  held: bigint;
  /** What was paid in, less what went back to the payer. */
  paid: bigint;
  /** What of it was forfeited before, less what was returned. */
  forfeited: bigint;
}

export interface ClosingEntry {
  kind: 'forfeited' | 'forfeit_returned' | 'promo_returned';
  microcents: bigint;
}

/**
 * What empties the wallet. What was paid is forfeited, granted credit returns to where it came from; granted credit counts
 * as used first. A debit that comes later, as a refund or a late charge, is covered by what was forfeited.
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
