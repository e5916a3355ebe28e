import { microcentsToCentsFloor } from '@tollgate/money';

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

/** A completed top-up, in cents. */
export interface RefundablePayment {
  paidCents: bigint;
  /** Refunded or disputed. */
  reversedCents: bigint;
  /** Refunds in progress that `reversedCents` does not contain. */
  refundingCents: bigint;
}

/** Returns the whole cents that can be refunded: never more than is left of the payment, or of the wallet's paid money. */
export function refundableCents(payment: RefundablePayment, wallet: WalletOrigins): bigint {
  const ofPayment = payment.paidCents - payment.reversedCents - payment.refundingCents;
  const ofWallet = microcentsToCentsFloor(splitWallet(wallet).paid);
  if (ofPayment <= 0n) return 0n;
  if (ofWallet < ofPayment) return ofWallet;
  return ofPayment;
}
