import type { Address } from './address.js';
import { findRunOwner, isInScope, maySendFrom, type RunOwners, type Scope } from './scope.js';

export interface Delivery {
  scope: Scope;
  to: Address;
  from: Address;
  runs: RunOwners;
  /** The customer of the continued thread; undefined: a new thread, or one of the project itself. */
  threadCustomerId: string | undefined;
}

export type DeliveryRefusal = 'recipient_not_found' | 'sender_not_found' | 'sender_forbidden';

export type DeliveryDecision = { ok: true; customerId: string | undefined } | { ok: false; refusal: DeliveryRefusal };

/**
 * Decides the scope of a message. A customer's message stays in the customer's scope. A message of the project itself goes
 * to the customer whose run receives it, else to the customer whose thread or run it continues, so that the customer sees
 * the answer.
 */
export function decideDelivery({ scope, to, from, runs, threadCustomerId }: Delivery): DeliveryDecision {
  if (!isInScope(to, scope, runs)) return { ok: false, refusal: 'recipient_not_found' };
  if (!isInScope(from, scope, runs)) return { ok: false, refusal: 'sender_not_found' };
  if (!maySendFrom(from, scope)) return { ok: false, refusal: 'sender_forbidden' };
  const customerId = scope.customerId ?? findRunOwner(to, runs) ?? threadCustomerId ?? findRunOwner(from, runs);
  return { ok: true, customerId };
}
