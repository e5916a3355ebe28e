import type { Address } from './address.js';
import { isInScope, maySendFrom, ownerOf, type RunOwners, type Scope } from './scope.js';

export interface Delivery {
  scope: Scope;
  to: Address;
  from: Address;
  runs: RunOwners;
  /** Of the thread that is continued; undefined = a new thread or one of the project itself. */
  threadCustomerId: string | undefined;
}

export type DeliveryRefusal = 'recipient_not_found' | 'sender_not_found' | 'sender_forbidden';

export type DeliveryDecision = { ok: true; customerId: string | undefined } | { ok: false; refusal: DeliveryRefusal };

/**
 * In whose scope a message comes to lie. A customer's message stays the customer's. What the project itself writes goes
 * to the customer whose run receives it, else to the one whose thread or run it continues, so that the answer is seen.
 */
export function decideDelivery({ scope, to, from, runs, threadCustomerId }: Delivery): DeliveryDecision {
  if (!isInScope(to, scope, runs)) return { ok: false, refusal: 'recipient_not_found' };
  if (!isInScope(from, scope, runs)) return { ok: false, refusal: 'sender_not_found' };
  if (!maySendFrom(from, scope)) return { ok: false, refusal: 'sender_forbidden' };
  const customerId = scope.customerId ?? ownerOf(to, runs) ?? threadCustomerId ?? ownerOf(from, runs);
  return { ok: true, customerId };
}
