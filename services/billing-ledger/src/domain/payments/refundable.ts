import { microcentsToCentsFloor } from '@tollgate/money';
import { splitWallet, type WalletOrigins } from '../wallet-split.js';

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
