import { createHash } from 'node:crypto';
import { type Principal, PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import { canonicalJson } from '@tollgate/runtime/canonical-json';

/** The scope of idempotency keys: the project, the customer, or the project acting for a customer. */
export function idempotencyScope(principal: Principal): string {
  if (principal.kind === PrincipalKind.CUSTOMER) return `customer:${principal.customerId}`;
  if (principal.kind === PrincipalKind.OWNER) return `account:${principal.accountId}`;
  return `project:${principal.projectId}${principal.customerId === '' ? '' : `:${principal.customerId}`}`;
}

/**
 * The outcome of an ended attempt. `settled`: its response is final and is returned to repeats. `undispatched`: it has
 * provably spent nothing, so the key is free again. `unknown`: it may have spent money or may still do so; a repeat
 * supersedes it.
 */
export type AttemptOutcome = 'settled' | 'undispatched' | 'unknown';

/** `status` is set when there is a complete response. */
export function attemptOutcome(status: number | undefined, isUndispatched: boolean): AttemptOutcome {
  if (status !== undefined && isFinal(status)) return 'settled';
  return isUndispatched ? 'undispatched' : 'unknown';
}

/** 402, 429 and 5xx are not final: a retry, for example after a top-up, must be evaluated again. */
function isFinal(status: number): boolean {
  return status < 500 && status !== 402 && status !== 429;
}

/** Compares a request's body with that of the first request under its key. */
export interface BodyDigest {
  /** The hash that is stored with the key. */
  hash: Buffer;
  matches(stored: Buffer): boolean;
}

/** Distinguishes hashes of the bytes from those of canonical JSON, which earlier versions stored. */
const BYTES_HASH_PREFIX = Buffer.from([1]);
const SHA256_BYTES = 32;

/** `json` returns the parsed body; it is called only when an earlier version stored the key. */
export function bodyDigest(bytes: Uint8Array, json: () => unknown): BodyDigest {
  const hash = Buffer.concat([BYTES_HASH_PREFIX, createHash('sha256').update(bytes).digest()]);
  return {
    hash,
    matches: (stored) => (stored.length === SHA256_BYTES ? hashJson(json()) : hash).equals(stored),
  };
}

/** Equal for bodies that differ only in white space and the order of keys. */
export function hashJson(value: unknown): Buffer {
  return createHash('sha256').update(canonicalJson(value)).digest();
}
