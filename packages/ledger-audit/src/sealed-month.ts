import { computeSeal, type SealedMonth } from './journal-seal.js';
import type { JournalMonth } from './store/months.js';
import type { DifferenceRow } from './store/verification.js';

/** Returns the sealed months whose stored figures do not have the stored seal, or which do not follow the month before. */
export function brokenSeals(months: readonly JournalMonth[]): DifferenceRow[] {
  const broken = months.filter((month, i) => {
    if (month.seal === null) return false;
    const isNext = month.after_id === (months[i - 1]?.last_id ?? 0n);
    return !isNext || computeSeal(toSealedMonth(month)) !== month.seal;
  });
  return broken.map((month) => sealDifference(month, 'seal'));
}

/** Reports a month like an account: 1 = as sealed, 0 = not. */
export function sealDifference({ month }: Pick<JournalMonth, 'month'>, field: string): DifferenceRow {
  return { account: `journal:${month.slice(0, 7)}`, field, stored: 1n, recomputed: 0n };
}

export function toSealedMonth(row: JournalMonth): SealedMonth {
  return {
    month: row.month,
    afterId: row.after_id.toString(),
    lastId: row.last_id.toString(),
    transfers: row.transfers.toString(),
    transfersHash: row.transfers_hash,
    balances: row.balances.toString(),
    balancesHash: row.balances_hash,
    previousSeal: row.previous_seal ?? '',
  };
}
