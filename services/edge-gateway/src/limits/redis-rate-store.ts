import { createClient, defineScript } from '@redis/client';
import type { Logger } from '@tollgate/runtime';
import { describeRate, type RateDecision, type RateLimit } from '../domain/gcra.js';
import type { RateStore } from './rate-store.js';

/**
 * GCRA in one round trip on the server's clock, so that all edges share one limit. Times are integers in microseconds,
 * because Lua formats other numbers with 14 digits. An arrival further ahead than a period is left from before the server's clock
 * stepped back.
 */
const TAKE = defineScript({
  NUMBER_OF_KEYS: 1,
  SCRIPT: `
    local time = redis.call('TIME')
    local now = time[1] * 1000000 + time[2]
    local interval = tonumber(ARGV[1])
    local period = tonumber(ARGV[2])
    local stored = tonumber(redis.call('GET', KEYS[1]) or 0)
    local arrival = math.min(math.max(stored, now), now + period)
    local allowed = 0
    if arrival + interval - now <= period then
      allowed = 1
      arrival = arrival + interval
    end
    if arrival ~= stored then
      redis.call('SET', KEYS[1], string.format('%.0f', arrival), 'PX', math.ceil((arrival - now) / 1000))
    end
    return { allowed, string.format('%.0f', arrival), string.format('%.0f', now) }`,
  parseCommand(parser, key: string, rate: RateLimit) {
    parser.pushKey(key);
    parser.push(String(Math.floor((rate.periodMs * 1000) / rate.limit)), String(rate.periodMs * 1000));
  },
  transformReply: (reply: [number, string, string]) => reply,
});

/** After this time the memory store decides instead. */
const ANSWER_TIMEOUT_MS = 100;
const CHECK_TIMEOUT_MS = 1_000;

export class RedisRateStore implements RateStore {
  readonly #client;
  /** The error of the last failed connection. */
  #lastError: Error | undefined;

  constructor(url: string, logger: Logger) {
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

  /** @throws while Redis is unavailable, with the reason of the last attempt */
  async check(): Promise<undefined> {
    if (!this.#client.isReady) throw this.#lastError ?? new Error('timeout');
    await withTimeout(this.#client.ping(), CHECK_TIMEOUT_MS);
    return undefined;
  }

  /** @throws when Redis is unavailable or slow */
  async take(key: string, rate: RateLimit): Promise<RateDecision> {
    const [allowed, arrival, now] = await withTimeout(this.#client.take(`tollgate:rate:${key}`, rate));
    return describeRate(rate, allowed === 1, Number(arrival) / 1000, Number(now) / 1000);
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
