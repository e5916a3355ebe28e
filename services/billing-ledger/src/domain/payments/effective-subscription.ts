import type { BillingWindow } from '../billing-window.js';

/** Final statuses: the processor only keeps the record. */
export const ENDED_STATUSES = ['canceled', 'incomplete_expired'];

/** The first payment is missing: bought, but not yet in force. */
export const PENDING_STATUS = 'incomplete';

/** An ended subscription never becomes active again. */
export function isEnded(status: string): boolean {
  return ENDED_STATUSES.includes(status);
}

/** Returns true if the customer has the subscription, even if a payment is late or paused. Admission checks the status. */
export function isHeld(status: string): boolean {
  return !isEnded(status) && status !== PENDING_STATUS;
}

/** A customer's subscription at the processor, as last seen. */
export interface ProcessorSubscription {
  id: string;
  tierId: string;
  processorCustomerId: string;
  status: string;
  period: BillingWindow;
  startedMs: number;
}

/** The subscription in the customer's record. */
export interface CurrentSubscription {
  processorSubscriptionId: string | null;
}

export type Effect<S extends ProcessorSubscription> =
  | { kind: 'keep' }
  | { kind: 'follow'; subscription: S }
  /** The processor's subscription ended: use the project's default tier, or the ended state if there is none. */
  | { kind: 'fall_back'; ended: S };

/**
 * Decides which subscription is effective for a customer (SPEC "Subscription status"): the newest one in force. A
 * subscription that is not paid yet never replaces another. When the customer's own subscription ends, the customer
 * falls back to the default tier. The end of any other subscription changes nothing, however late it is reported.
 */
export function effectiveSubscription<S extends ProcessorSubscription>(
  current: CurrentSubscription | undefined,
  seen: readonly S[],
): Effect<S> {
  const newest = newestFirst(seen.filter((s) => isHeld(s.status)))[0];
  if (newest) return { kind: 'follow', subscription: newest };
  const own = seen.find((s) => s.id === current?.processorSubscriptionId);
  if (own) return isEnded(own.status) ? { kind: 'fall_back', ended: own } : { kind: 'follow', subscription: own };
  const pending = newestFirst(seen.filter((s) => !isEnded(s.status)))[0];
  return !current && pending ? { kind: 'follow', subscription: pending } : { kind: 'keep' };
}

export interface SurplusSubscription {
  id: string;
  /** Bought together with the newest one, from a page that was open already: its payment is returned in full. */
  isBoughtTwice: boolean;
}

/** The processor's pages are open for a day. */
const PAGE_LIFETIME_MS = 25 * 3_600_000;

/** Returns the subscriptions to cancel: all in force except the newest. A customer pays for one subscription only. */
export function surplusSubscriptions(seen: readonly ProcessorSubscription[]): SurplusSubscription[] {
  const [newest, ...older] = newestFirst(seen.filter((s) => isHeld(s.status)));
  return older.map(({ id, startedMs }) => ({
    id,
    isBoughtTwice: newest !== undefined && newest.startedMs - startedMs <= PAGE_LIFETIME_MS,
  }));
}

function newestFirst<S extends ProcessorSubscription>(seen: readonly S[]): S[] {
  return [...seen].sort((a, b) => b.startedMs - a.startedMs || (a.id < b.id ? 1 : -1));
}
