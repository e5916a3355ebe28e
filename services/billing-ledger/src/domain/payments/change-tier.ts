import type { ErrorCode } from '@tollgate/errors';
import { isHeld } from './effective-subscription.js';
import type { PriceSync } from './price-sync.js';

/** The fields of a tier that matter for a tier change. */
export interface ChangeTier {
  id: string;
  billingMode: 'subscription' | 'paygo';
  /** 0 = free. A subscription's tier has the price that the customer pays. */
  priceCents: bigint;
  /** Null: free. */
  currency: string | null;
  /** The processor can charge it. */
  hasProcessorPrice: boolean;
  /** Of a price that Tollgate makes; null: none. */
  priceSync: PriceSync | null;
  priceSyncFailure: string | null;
  isDefault: boolean;
}

export interface ChangeSubscription {
  tier: ChangeTier;
  status: string;
  billingProvider: string | null;
  /** The processor's subscription, if there is one. */
  processorSubscriptionId: string | null;
  /** At the processor, or in our record if the processor does not bill it. */
  isCancellationScheduled: boolean;
}

export type TierChange =
  | { kind: 'refused'; code: ErrorCode; message: string }
  | { kind: 'unchanged' }
  /** From free to free: only our record changes. */
  | { kind: 'switch' }
  /** A new price for the running subscription, with proration. */
  | { kind: 'reprice'; action: 'upgraded' | 'downgraded' | 'changed' }
  /** A subscription bought with the card on file. */
  | { kind: 'purchase' }
  | { kind: 'schedule_cancellation' };

/** Implements the tables of SPEC "Customer tier change" and "Tier-change errors". `to` is undefined for an unknown code. */
export function decideTierChange(from: ChangeSubscription, to: ChangeTier | undefined): TierChange {
  if (!to) return refused('NOT_FOUND', 'tier not found');
  const isRunning = isHeld(from.status);
  if (to.id === from.tier.id && isRunning) return { kind: 'unchanged' };
  if (from.tier.billingMode === 'paygo')
    return refused('INVALID_INPUT', 'paygo subscriptions do not support tier changes');
  // A tier change never revokes a scheduled cancellation.
  if (isRunning && from.isCancellationScheduled)
    return refused('CONFLICT', 'subscription is scheduled for cancellation');
  if (to.billingMode === 'paygo') return refused('CONFLICT', PAYGO_BY_MINT);
  if (isRunning && from.processorSubscriptionId !== null) return decidePaid(from, to);
  if (isRunning && from.tier.priceCents > 0n)
    return refused('CONFLICT', `the subscription is billed by ${from.billingProvider ?? 'the owner'}; change it there`);
  return to.priceCents === 0n ? { kind: 'switch' } : priced(to, { kind: 'purchase' });
}

const PAYGO_BY_MINT =
  'a tier change cannot select a pay-as-you-go tier: mint a customer token with its tier_code, or top up at checkout';

function decidePaid(from: ChangeSubscription, to: ChangeTier): TierChange {
  if (to.priceCents === 0n) {
    return to.isDefault
      ? { kind: 'schedule_cancellation' }
      : refused('CONFLICT', 'paid subscriptions can only return to the project default tier');
  }
  if (from.tier.currency && to.currency && from.tier.currency !== to.currency)
    return refused(
      'CONFLICT',
      `the subscription is paid in ${from.tier.currency} and the tier in ${to.currency}; cancel the subscription and buy the tier when it has ended`,
    );
  return priced(to, { kind: 'reprice', action: repriceAction(from.tier.priceCents, to.priceCents) });
}

function priced(to: ChangeTier, change: TierChange): TierChange {
  return to.hasProcessorPrice ? change : refused('CONFLICT', describeMissingPrice(to));
}

/** Says why the processor has no price of the tier. */
export function describeMissingPrice(tier: Pick<ChangeTier, 'priceSync' | 'priceSyncFailure'>): string {
  const missing = 'tier has no billing pricing configured';
  const reason = tier.priceSyncFailure === null ? '' : ` (${tier.priceSyncFailure})`;
  if (tier.priceSync === 'pending') return `${missing} yet: its price is being made at the payment processor${reason}`;
  return `${missing}${reason}`;
}

function repriceAction(from: bigint, to: bigint): 'upgraded' | 'downgraded' | 'changed' {
  if (to === from) return 'changed';
  return to > from ? 'upgraded' : 'downgraded';
}

function refused(code: ErrorCode, message: string): TierChange {
  return { kind: 'refused', code, message };
}
