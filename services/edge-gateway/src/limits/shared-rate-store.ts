import type { Clock, Logger } from '@tollgate/runtime';
import { createClient, defineScript } from 'redis';
import { describeRate, type RateDecision, type RateLimit } from '../domain/gcra.js';
import type { MemoryRateStore, RateStore } from './rate-limit.js';

/** A store that several processes share, and that may fail or lose what it has stored. */
export interface SharedRateStore {
  readonly isReady: boolean;
  /** `knownArrivalMs`: the key's arrival as this process knows it, which counts where the store has an earlier one. */
  take(key: string, rate: RateLimit, knownArrivalMs: number | undefined): RateDecision | Promise<RateDecision>;
}

/** Time without calls to the shared store after a failure, so that a hanging store does not delay every request. */
const PAUSE_MS = 1_000;

/**
 * Uses the shared store while it is available, else per-process limits: losing Redis loosens limits but stops no
 * request. Counts carry over in both directions: a change of the store admits no second burst.
 */
export class InsuredRateStore implements RateStore {
  readonly #shared: SharedRateStore;
  readonly #insurance: MemoryRateStore;
  readonly #clock: Clock;
  #pausedUntilMs = 0;

  constructor(shared: SharedRateStore, insurance: MemoryRateStore, clock: Clock) {
    this.#shared = shared;
    this.#insurance = insurance;
    this.#clock = clock;
  }

  take(key: string, rate: RateLimit): RateDecision | Promise<RateDecision> {
    if (!this.#shared.isReady || this.#clock.elapsed() < this.#pausedUntilMs) return this.#insurance.take(key, rate);
    return this.#takeShared(key, rate);
  }

  async #takeShared(key: string, rate: RateLimit): Promise<RateDecision> {
    try {
      const decision = await this.#shared.take(key, rate, this.#insurance.arrivalMs(key));
      this.#insurance.note(key, decision.arrivalMs);
      return decision;
    } catch {
      this.#pausedUntilMs = this.#clock.elapsed() + PAUSE_MS;
      return this.#insurance.take(key, rate);
    }
  }
}

/**
 * GCRA in one round trip on the server's clock, so that all edges share one limit. Times are integers in microseconds,
 * because Lua formats other numbers with 14 digits. An arrival further ahead than a period is left from before the server's clock
 * stepped back. The arrival that the caller knows counts where the server has an earlier one: it has lost its data, or was unavailable.
 */
const TAKE = defineScript({
  NUMBER_OF_KEYS: 1,
  SCRIPT: `
    local time = redis.call('TIME')
    local now = time[1] * 1000000 + time[2]
    local interval = tonumber(ARGV[1])
    local period = tonumber(ARGV[2])
    local stored = tonumber(redis.call('GET', KEYS[1]) or 0)
    local arrival = math.min(math.max(stored, tonumber(ARGV[3]), now), now + period)
    local allowed = 0
    if arrival + interval - now <= period then
      allowed = 1
      arrival = arrival + interval
    end
    if arrival ~= stored then
      redis.call('SET', KEYS[1], string.format('%.0f', arrival), 'PX', math.ceil((arrival - now) / 1000))
    end
    return { allowed, string.format('%.0f', arrival), string.format('%.0f', now) }`,
  parseCommand(parser, key: string, rate: RateLimit, knownArrivalUs: number) {
    parser.pushKey(key);
    parser.push(String(Math.floor((rate.periodMs * 1000) / rate.limit)), String(rate.periodMs * 1000));
    parser.push(String(knownArrivalUs));
  },
  transformReply: (reply: [number, string, string]) => reply,
});

/** After this time the memory store decides instead. */
const ANSWER_TIMEOUT_MS = 100;
const CHECK_TIMEOUT_MS = 1_000;
const CHECK_KEY = 'tollgate:check:rates';
const CHECK_KEPT_MS = 1_000;
/** More than the time of an answer, by which two measurements of the same offset differ. */
const STEP_MS = 2 * ANSWER_TIMEOUT_MS;

export class RedisRateStore implements SharedRateStore {
  readonly #client;
  readonly #clock: Clock;
  /**
   * The server's clock minus the monotonic clock of this process. Measured again only when it has stepped: with one offset, an
   * arrival returns to the server exactly as it came, however long the answers take.
   */
  #offsetMs: number | undefined;
  /** The error of the last failed connection. */
  #lastError: Error | undefined;

  constructor(url: string, clock: Clock, logger: Logger) {
    this.#clock = clock;
    this.#client = createClient({
      url,
      scripts: { take: TAKE },
      disableOfflineQueue: true,
      socket: { connectTimeout: 2_000, reconnectStrategy: (retries) => Math.min(100 * 2 ** retries, 2_000) },
    });
    let isDown = false;
    this.#client.on('error', (error: Error) => {
      if (!isDown) logger.warn({ err: error }, 'redis unavailable; rate limits count per process');
      isDown = true;
      this.#lastError = error;
    });
    this.#client.on('ready', () => {
      if (isDown) logger.info('redis available; rate limits are shared');
      isDown = false;
    });
  }

  /** Connects in the background, so that startup does not wait for Redis. */
  start(): void {
    this.#client.connect().catch(() => undefined); // reported by the error event
  }

  get isReady(): boolean {
    return this.#client.isReady;
  }

  /** @throws while Redis is unavailable or accepts no writes, with the reason of the last attempt */
  async check(): Promise<undefined> {
    if (!this.#client.isReady) throw this.#lastError ?? new Error('timeout');
    // A server that is read-only or out of memory answers a ping.
    await withTimeout(this.#client.set(CHECK_KEY, '1', { PX: CHECK_KEPT_MS }), CHECK_TIMEOUT_MS);
    return undefined;
  }

  /** @throws when Redis is unavailable or slow */
  async take(key: string, rate: RateLimit, knownArrivalMs?: number): Promise<RateDecision> {
    const askedMs = this.#clock.elapsed();
    const knownUs =
      knownArrivalMs === undefined || this.#offsetMs === undefined
        ? 0
        : Math.max(0, Math.round((knownArrivalMs + this.#offsetMs) * 1000));
    const [allowed, arrival, now] = await withTimeout(this.#client.take(`tollgate:rate:${key}`, rate, knownUs));
    const [arrivalMs, nowMs] = [Number(arrival) / 1000, Number(now) / 1000];
    const offsetMs = this.#measureOffset(askedMs, nowMs);
    return describeRate(rate, allowed === 1, arrivalMs - offsetMs, nowMs - offsetMs);
  }

  #measureOffset(askedMs: number, serverMs: number): number {
    const answeredMs = this.#clock.elapsed();
    const measuredMs = serverMs - answeredMs;
    const hasStepped = Math.abs(measuredMs - (this.#offsetMs ?? Number.POSITIVE_INFINITY)) > STEP_MS;
    // An answer that this process has read late measures nothing.
    if (this.#offsetMs === undefined || (hasStepped && answeredMs - askedMs <= ANSWER_TIMEOUT_MS))
      this.#offsetMs = measuredMs;
    return this.#offsetMs;
  }

  async stop(): Promise<void> {
    this.#client.destroy();
  }
}

function withTimeout<T>(answer: Promise<T>, timeoutMs = ANSWER_TIMEOUT_MS): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('redis did not answer in time')), timeoutMs);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
