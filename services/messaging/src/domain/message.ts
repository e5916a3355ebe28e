import type { Address } from './address.js';
import { findRunOwner, isInScope, maySendFrom, type RunOwners, type Scope } from './scope.js';

/** A message in a mailbox. */
export interface Message {
  id: string;
  projectId: string;
  /** The customer whose scope it is in; undefined: the project's own. */
  customerId: string | undefined;
  from: string;
  to: string;
  subject: string;
  /** A JSON object. */
  bodyJson: string;
  /** The id of the thread's first message. */
  threadId: string;
  readAt: Date | undefined;
  createdAt: Date;
}

/** Limit of the body, as JSON in UTF-8. */
export const BODY_BYTES_MAX = 262_144;
export const SUBJECT_LENGTH_MAX = 1_000;

type ContentFault = { kind: 'invalid'; field: 'subject' | 'body'; message: string } | { kind: 'too_large' };

/** Returns the first fault of a message's content; undefined when it is valid. */
export function contentFault(subject: string, bodyJson: string): ContentFault | undefined {
  if (subject.length === 0) return { kind: 'invalid', field: 'subject', message: 'is required' };
  if (subject.length > SUBJECT_LENGTH_MAX) {
    return { kind: 'invalid', field: 'subject', message: `must have at most ${SUBJECT_LENGTH_MAX} characters` };
  }
  if (subject.includes('\0')) return { kind: 'invalid', field: 'subject', message: 'must not contain NUL' };
  if (Buffer.byteLength(bodyJson) > BODY_BYTES_MAX) return { kind: 'too_large' };
  return isJsonObject(bodyJson) ? undefined : { kind: 'invalid', field: 'body', message: 'must be a JSON object' };
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

interface Delivery {
  scope: Scope;
  to: Address;
  from: Address;
  runs: RunOwners;
  /** The customer of the continued thread; undefined: a new thread, or one of the project itself. */
  threadCustomerId: string | undefined;
}

export type DeliveryRefusal = 'recipient_not_found' | 'sender_not_found' | 'sender_forbidden';

type DeliveryDecision = { ok: true; customerId: string | undefined } | { ok: false; refusal: DeliveryRefusal };

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
