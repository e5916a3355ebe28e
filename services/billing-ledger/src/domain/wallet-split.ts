/** The wallet of an existing customer, in microcents. */
export interface WalletOrigins {
  /** Credits minus debits. */
  balance: bigint;
  /** Held for open requests and for refunds in progress. */
  held: bigint;
  /** Payments minus refunds and disputes. */
  paid: bigint;
  /** Refunds in progress, part of `held`. */
  refunding: bigint;
}

/**
 * Splits the free balance of a wallet into paid money and granted credit. Granted credit counts as used first, as when a
 * wallet is closed.
 */
export function splitWallet(wallet: WalletOrigins): { paid: bigint; granted: bigint } {
  const free = wallet.balance - wallet.held;
  if (free <= 0n) return { paid: 0n, granted: 0n };
  const paidRest = wallet.paid - wallet.refunding;
  if (paidRest <= 0n) return { paid: 0n, granted: free };
  return paidRest < free ? { paid: paidRest, granted: free - paidRest } : { paid: free, granted: 0n };
}
