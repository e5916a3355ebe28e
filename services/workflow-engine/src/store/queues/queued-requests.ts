import type { Queryable, Tx, Visit } from '@tollgate/postgres';

export interface LeaseHolder {
  owner: string;
  leaseMs: number;
}

/** Bounds of the work in progress after a claim. Bytes are those of large requests. */
export interface ClaimBounds {
  /** In this process: further requests, and further bytes. */
  slots: number;
  bytes: number;
  /** Of one account, in all processes. */
  accountConcurrency: number;
  accountBytes: number;
  /** Of one caller, in all processes. A large request that is alone may exceed it. */
  callerConcurrency: number;
  callerBytes: number;
  /** Requests up to this size are not large. */
  smallBytes: number;
  /** Size of the largest request: bytes beyond it are not in memory while the request runs. */
  requestBytes: number;
}

/** Returns the bytes that a request counts towards the bounds. */
export function weigh(
  bytes: number,
  { smallBytes, requestBytes }: { smallBytes: number; requestBytes: number },
): number {
  return bytes <= smallBytes ? 0 : Math.min(bytes, requestBytes);
}

/** Columns that all claims return, beside those of their table. */
export interface ClaimedRow {
  lease_epoch: number;
  principal: Buffer;
  traceparent: string | null;
  bytes: number;
  attempt: number;
  superseded_attempt: number | null;
  lost: number;
  tries: number;
  waits: number;
}

/** The state of a request, as its claim has read it. */
export interface ClaimedRequest {
  epoch: number;
  principal: Uint8Array;
  traceparent: string | undefined;
  /** Size of the request, which is read when it runs. */
  bytes: number;
  attempt: number;
  /** An earlier attempt whose outcome is unknown. */
  supersededAttempt: number | undefined;
  lost: number;
  tries: number;
  /** How often it has waited in a row because a service was unavailable. */
  waits: number;
}

/**
 * How a request is run again.
 * - `same`: its attempt was not sent, and continues under its hold.
 * - `lost`: the outcome of its attempt is unknown; the next one supersedes it.
 * - `next`: its attempt has ended without an answer; the next one is independent.
 * - `recorded`: `lost` if the row says that the attempt was dispatched, otherwise `same`.
 */
export type NextRun = 'same' | 'lost' | 'next' | 'recorded';

export interface PutBack {
  delayMs: number;
  next: NextRun;
  /** `wait`: a service was unavailable. `try`: the attempt failed; their number is limited. */
  counts: 'try' | 'wait' | 'nothing';
}

type Leased<Item> = Item & { epoch: number };

/** The requests of one table. Statements of a request that was leased change nothing when the lease was lost. */
export interface RequestStore<Item> {
  /** Leases requests to a process, within the bounds, of the next accounts after `after`. */
  claim(
    tx: Tx,
    lease: LeaseHolder,
    bounds: ClaimBounds,
    after: string,
  ): Promise<Visit & { items: (Item & ClaimedRequest)[] }>;
  /** Extends leases and returns the keys of the requests that are still held. */
  extend(db: Queryable, lease: LeaseHolder, held: readonly Leased<Item>[]): Promise<Set<string>>;
  /** Returns the JSON of a leased request; undefined when the lease was lost. */
  readBody(db: Queryable, item: Leased<Item>): Promise<string | undefined>;
  /** Records that the provider may serve the attempt from now on. Returns false when the lease was lost. */
  markDispatched(db: Queryable, item: Leased<Item>): Promise<boolean>;
  /** Returns a request to the queue. */
  putBack(db: Queryable, item: Leased<Item>, how: PutBack): Promise<void>;
  /** Returns the key of a request as text. */
  toKey(item: Item): string;
}

/** Returns the state of a request whose row a claim has returned. */
export function toRequest(row: ClaimedRow): ClaimedRequest {
  return {
    epoch: row.lease_epoch,
    principal: row.principal,
    traceparent: row.traceparent ?? undefined,
    bytes: row.bytes,
    attempt: row.attempt,
    supersededAttempt: row.superseded_attempt ?? undefined,
    lost: row.lost,
    tries: row.tries,
    waits: row.waits,
  };
}
