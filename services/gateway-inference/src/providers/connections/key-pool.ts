import type { IncomingHttpHeaders } from 'node:http';
import { elapsed } from '@tollgate/runtime';
import type { ProviderFailure } from '../../domain/provider-failure.js';
import type { Authorizer } from '../contract/authorizer.js';
import { retryAfterSeconds } from '../convert/answer-reading.js';

/** A key of a connection, as requests use it. */
export interface PooledKey {
  readonly authorizer: Authorizer;
  readonly weight: number;
}

/** For logs: which key of a connection rests, and why. */
export interface KeyRest {
  /** Its place in the connection, from 0. */
  readonly key: number;
  /** Absent: no credential could be obtained with it. */
  readonly status: number | undefined;
  readonly restMs: number;
}

/** Of a limit or an error that names no time. */
const REST_MS = 5_000;
/** Of a key that the server does not accept. */
const REFUSED_REST_MS = 60_000;
/** The longest rest, even if the server asks for a longer one. */
const REST_MS_MAX = 15 * 60_000;

interface Key extends PooledKey {
  credit: number;
  restsUntilMs: number;
}

/**
 * Distributes requests over the keys of a connection by their weights, in an order that repeats and that interleaves the keys. A key
 * rests after an answer with 401, 402, 403, 429 or 5xx, for the time that the server asks for, and if no credential can be obtained with
 * it; the others are used in the meantime. While all rest, the one whose rest ends first is used: the server's own error is the most precise.
 */
export class KeyPool {
  readonly #keys: readonly Key[];
  readonly #now: () => number;
  readonly #onRest: (rest: KeyRest) => void;

  /** `keys`: at least one. */
  constructor(
    keys: readonly PooledKey[],
    { now = elapsed, onRest = () => undefined }: { now?: () => number; onRest?: (rest: KeyRest) => void } = {},
  ) {
    this.#keys = keys.map((key) => ({ ...key, credit: 0, restsUntilMs: 0 }));
    this.#now = now;
    this.#onRest = onRest;
  }

  /** Whether requests are distributed over several keys. */
  get isShared(): boolean {
    return this.#keys.length > 1;
  }

  /** Whether a key is left that does not rest, beside an only one. */
  get hasOther(): boolean {
    if (this.#keys.length === 1) return false;
    const now = this.#now();
    return this.#keys.some(({ restsUntilMs }) => restsUntilMs <= now);
  }

  /** Returns the key of the next request. */
  take(): PooledKey {
    const [only] = this.#keys;
    if (this.#keys.length === 1) return only!;
    const now = this.#now();
    const awake = this.#keys.filter(({ restsUntilMs }) => restsUntilMs <= now);
    if (awake.length === 0)
      return this.#keys.reduce((first, key) => (key.restsUntilMs < first.restsUntilMs ? key : first));
    let chosen = awake[0]!;
    for (const key of awake) {
      key.credit += key.weight;
      if (key.credit > chosen.credit) chosen = key;
    }
    chosen.credit -= awake.reduce((sum, { weight }) => sum + weight, 0);
    return chosen;
  }

  /** Records the head of the answer to a request with the key. */
  answered(taken: PooledKey, status: number, headers: IncomingHttpHeaders): void {
    if (!isStatusOfKey(status)) return;
    const usualMs = status === 429 || status >= 500 ? REST_MS : REFUSED_REST_MS;
    const askedMs = (retryAfterSeconds(headers) ?? 0) * 1_000;
    this.#rest(taken, status, Math.min(askedMs || usualMs, REST_MS_MAX));
  }

  /** Records that no credential could be obtained with the key. */
  unauthorized(taken: PooledKey): void {
    this.#rest(taken, undefined, REFUSED_REST_MS);
  }

  #rest(taken: PooledKey, status: number | undefined, restMs: number): void {
    const index = this.#keys.indexOf(taken as Key);
    const key = this.#keys[index];
    if (!key || this.#keys.length === 1) return;
    key.restsUntilMs = this.#now() + restMs;
    this.#onRest({ key: index, status, restMs });
  }
}

/** Whether another key of the same connection may succeed after this failure. */
export function isOfKey({ kind, status }: Pick<ProviderFailure, 'kind' | 'status'>): boolean {
  return kind === 'unauthorized' || kind === 'payment' || (status !== undefined && isStatusOfKey(status));
}

function isStatusOfKey(status: number): boolean {
  return status >= 500 || status === 401 || status === 402 || status === 403 || status === 429;
}
