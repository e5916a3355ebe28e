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
  /** Debts written off so far, minus what was returned. */
  writtenOff: bigint;
}

export interface ClosingEntry {
  kind: 'forfeited' | 'forfeit_returned' | 'promo_returned' | 'written_off' | 'write_off_returned';
  microcents: bigint;
}

/**
 * Returns the entries that empty the wallet: paid money is forfeited, promotional credit returns to the promo account.
 * Promotional credit counts as used first. A later refund or chargeback is taken from the forfeited money; the rest is
 * written off, and money that arrives afterwards repays that first.
 */
export function closingEntries({ balance, held, paid, forfeited, writtenOff }: ClosedWallet): ClosingEntry[] {
  const free = balance - held;
  if (free < 0n) {
    const returned = least(-free, forfeited);
    return [...entry('forfeit_returned', returned), ...entry('written_off', -free - returned)];
  }
  const repaid = least(free, writtenOff);
  const left = free - repaid;
  const paidLeft = least(left, paid - forfeited);
  return [
    ...entry('write_off_returned', repaid),
    ...entry('forfeited', paidLeft),
    ...entry('promo_returned', left - (paidLeft > 0n ? paidLeft : 0n)),
  ];
}

function entry(kind: ClosingEntry['kind'], microcents: bigint): ClosingEntry[] {
  return microcents > 0n ? [{ kind, microcents }] : [];
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
