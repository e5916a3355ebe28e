import { createHash } from 'node:crypto';
import { type Principal, PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import { canonicalJson } from '@tollgate/runtime/canonical-json';

/** Whose keys they are: the project, the customer, or the project acting for a customer. */
export function idempotencyScope(principal: Principal): string {
  if (principal.kind === PrincipalKind.CUSTOMER) return `customer:${principal.customerId}`;
  if (principal.kind === PrincipalKind.OWNER) return `account:${principal.accountId}`;
  return `project:${principal.projectId}${principal.customerId === '' ? '' : `:${principal.customerId}`}`;
}

/**
 * What is known of an attempt that has ended. `settled`: its answer is final, repeats get it. `undispatched`: it has
 * provably spent nothing, so the key is free again. `unknown`: it may have spent its customer's money, or may still do so;
 * a repeat supersedes it.
 */
export type AttemptOutcome = 'settled' | 'undispatched' | 'unknown';

/** `status` is the answer's, where there is a complete one that the same request would get again. */
export function attemptOutcome(status: number | undefined, isUndispatched: boolean): AttemptOutcome {
  if (status !== undefined && isFinal(status)) return 'settled';
  return isUndispatched ? 'undispatched' : 'unknown';
}

/** 402, 429 and 5xx are not: a retry, for example after a top-up, must be evaluated again. */
function isFinal(status: number): boolean {
  return status < 500 && status !== 402 && status !== 429;
}

/** Compares the body of a request with that of the first one under its key. */
export interface BodyDigest {
  /** What is stored with the key. */
  hash: Buffer;
  matches(stored: Buffer): boolean;
}

/** Tells hashes of the bytes from the bare SHA-256 of canonical JSON, which rows of an earlier version have. */
const BYTES_HASH_PREFIX = Buffer.from([1]);
const SHA256_BYTES = 32;

/** `json` gives what the bytes say; it is asked only when an earlier version stored the key. */
export function bodyDigest(bytes: Uint8Array, json: () => unknown): BodyDigest {
  const hash = Buffer.concat([BYTES_HASH_PREFIX, createHash('sha256').update(bytes).digest()]);
  return {
    hash,
    matches: (stored) => (stored.length === SHA256_BYTES ? hashJson(json()) : hash).equals(stored),
  };
}

/** Equal for bodies that say the same, whatever their white space and order of keys. */
export function hashJson(value: unknown): Buffer {
  return createHash('sha256').update(canonicalJson(value)).digest();
}
