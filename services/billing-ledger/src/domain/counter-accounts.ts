/**
 * The other side of every transfer that is no limit's. One row each for the platform, inserted by the first
 * migration; they carry no balances of their own (those follow from the journal), so that they are never a hot row.
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
} as const;
