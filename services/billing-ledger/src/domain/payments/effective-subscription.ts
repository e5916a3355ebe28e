import type { BillingWindow } from '../billing-window.js';
import { isEnded, isHeld } from './subscription-status.js';

/** One of the processor's subscriptions of a customer, as last seen. */
export interface ProcessorSubscription {
  id: string;
  tierId: string;
  processorCustomerId: string;
  status: string;
  period: BillingWindow;
  startedMs: number;
}

/** What the customer's record says now. */
export interface CurrentSubscription {
  processorSubscriptionId: string | null;
}

export type Effect =
  | { kind: 'keep' }
  | { kind: 'follow'; subscription: ProcessorSubscription }
  /** The processor's subscription is over: the project's default tier, or the ended state where there is none. */
  | { kind: 'fall_back'; ended: ProcessorSubscription };

/**
 * Which subscription counts for a customer. The newest that is in force does; one that is not paid for yet takes
 * nobody's place; the end of the one the customer was on leads back to the default tier (SPEC "Subscription status").
 * The end of any other changes nothing, however late its notice is.
 */
export function effectiveSubscription(
  current: CurrentSubscription | undefined,
  seen: readonly ProcessorSubscription[],
): Effect {
  const newest = newestFirst(seen.filter((s) => isHeld(s.status)))[0];
  if (newest) return { kind: 'follow', subscription: newest };
  const own = seen.find((s) => s.id === current?.processorSubscriptionId);
  if (own) return isEnded(own.status) ? { kind: 'fall_back', ended: own } : { kind: 'follow', subscription: own };
  const pending = newestFirst(seen.filter((s) => !isEnded(s.status)))[0];
  return !current && pending ? { kind: 'follow', subscription: pending } : { kind: 'keep' };
}

/** A customer pays for one subscription: of several in force, as after two checkouts at once, all but the newest go. */
export function surplusSubscriptions(seen: readonly ProcessorSubscription[]): ProcessorSubscription[] {
  return newestFirst(seen.filter((s) => isHeld(s.status))).slice(1);
}

function newestFirst(seen: readonly ProcessorSubscription[]): ProcessorSubscription[] {
  return [...seen].sort((a, b) => b.startedMs - a.startedMs || (a.id < b.id ? 1 : -1));
}
