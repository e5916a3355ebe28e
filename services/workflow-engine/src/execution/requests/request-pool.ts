import { randomUUID } from 'node:crypto';
import { isTransientError } from '@tollgate/errors';
import { KeyRing, withTransaction } from '@tollgate/postgres';
import {
  backoffMs,
  Circuit,
  elapsed,
  LeasePool,
  type LeasePoolOptions,
  type LeaseQueue,
  type Logger,
} from '@tollgate/runtime';
import type { Config } from '../../config.js';
import type { Pool } from '../../store/database.js';
import { type ClaimBounds, type ClaimedRequest, type RequestStore, weigh } from '../../store/queues/queued-requests.js';

export interface RequestPoolOptions<Item> extends Pick<LeaseQueue<Item>, 'name' | 'run' | 'advance'> {
  pool: Pool;
  logger: Logger;
  dependencies: Dependencies;
  store: RequestStore<Item>;
  limits: Omit<ClaimBounds, 'bytes'> & { slotBytes: number };
  work: Pick<Config['work'], 'leaseMs' | 'heartbeatMs' | 'pollMs' | 'drainMs'>;
}

export type RequestPool<Item> = LeasePool<Item, string>;

const SPACING_MS = 20;
/** Requests continue soon after an outage. */
export const WAIT = { minMs: 500, maxMs: 15_000 };

/** Runs the requests of a table in slots of their own, so that runs never wait for them. */
export function createRequestPool<Item extends ClaimedRequest>(options: RequestPoolOptions<Item>): RequestPool<Item> {
  const { logger, dependencies, limits, work } = options;
  const { leaseMs, heartbeatMs, pollMs, drainMs } = work;
  const pool: LeasePoolOptions<Item, string> = {
    queue: createRequestQueue(options),
    logger,
    slots: limits.slots,
    leaseMs,
    heartbeatMs,
    pollMs,
    drainMs,
    spacingMs: SPACING_MS,
    claimsAfterEach: true,
    dependencies: Object.values(dependencies),
    isTransient: isTransientError,
  };
  return new LeasePool(pool);
}

function createRequestQueue<Item extends ClaimedRequest>(options: RequestPoolOptions<Item>): LeaseQueue<Item, string> {
  const { name, pool, store, work, limits, run, advance } = options;
  const lease = { owner: randomUUID(), leaseMs: work.leaseMs };
  const ring = new KeyRing();
  return {
    name,
    toKey: store.toKey,
    toFields: (item) => ({ queue: name, key: store.toKey(item) }),
    async claim(held, { max, isFirst }) {
      if (isFirst) ring.startRound();
      const bytes = limits.slotBytes - held.reduce((sum, item) => sum + weigh(item.bytes, limits), 0);
      const bounds = { ...limits, slots: max, bytes };
      const { items, next, hasSkipped } = await withTransaction(pool, (tx) =>
        store.claim(tx, lease, bounds, ring.next),
      );
      return { items, hasSkipped, hasMore: ring.advance(next) };
    },
    extend: (held) => store.extend(pool, lease, held),
    async putBack(item, failure) {
      const delayMs = failure ? backoffMs(item.waits + 1, WAIT) : 0;
      await store.putBack(pool, item, { delayMs, next: 'recorded', counts: failure ? 'wait' : 'nothing' });
      return delayMs;
    },
    run,
    ...(advance && { advance }),
  };
}

const LIMITS = { failuresMax: 5, openMs: 1_000 };

/** A service without which no queued request can run. While it fails, one request at a time probes it. */
export class Dependency {
  readonly #name: string;
  readonly #logger: Logger;
  readonly #circuit = new Circuit(LIMITS);

  constructor(name: string, logger: Logger) {
    this.#name = name;
    this.#logger = logger;
  }

  /** Returns how many of up to `max` requests may start now. */
  admit(max: number): number {
    const before = this.#circuit.state;
    if (!this.#circuit.admits(elapsed())) return 0;
    return before === 'closed' ? max : Math.min(max, 1);
  }

  /** Makes a call. `isFailure` says of an error that the service itself is unavailable. */
  async call<Result>(make: () => Promise<Result>, isFailure: (error: unknown) => boolean): Promise<Result> {
    try {
      const result = await make();
      this.#record(true);
      return result;
    } catch (error) {
      this.#record(!isFailure(error));
      throw error;
    }
  }

  #record(isSuccess: boolean): void {
    const before = this.#circuit.state;
    if (isSuccess) this.#circuit.succeeded(elapsed());
    else this.#circuit.failed(elapsed());
    const { state } = this.#circuit;
    if (before === 'closed' && state === 'open')
      this.#logger.warn({ dependency: this.#name }, 'dependency unavailable; queued requests wait');
    if (before !== 'closed' && state === 'closed')
      this.#logger.info({ dependency: this.#name }, 'dependency available again');
  }
}

/** The services that each queued request calls. */
export interface Dependencies {
  ledger: Dependency;
  inference: Dependency;
}

export function createDependencies(logger: Logger): Dependencies {
  return { ledger: new Dependency('billing-ledger', logger), inference: new Dependency('gateway-inference', logger) };
}
