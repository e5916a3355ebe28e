/**
 * Ledger accounts of the platform: the other side of each transfer to or from a limit. Inserted by the migrations. They
 * have no balances (those follow from the journal), so they are never hot rows.
 */
export const COUNTER_ACCOUNTS = {
  processorClearing: 1n,
  promo: 2n,
  adjustment: 3n,
  limitGrant: 4n,
  customerCharges: 5n,
  providerCost: 6n,
  keySpend: 7n,
  overrun: 8n,
  unreconciled: 9n,
  refunds: 10n,
  dailySpend: 11n,
  quotaGrant: 12n,
  quotaUse: 13n,
  /** Unused money in the wallets of deleted customers. */
  forfeited: 20n,
  /** What deleted customers owe. */
  writtenOff: 21n,
} as const;
