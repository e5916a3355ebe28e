// A customer at its rate limit while Redis is emptied, frozen, killed and started again: no change of the store admits a second
// burst.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { elapsed } from '@tollgate/runtime';
import { type ApiClient, waitUntil } from '@tollgate/testkit';
import { describeWith } from '@tollgate/testkit/describe-with';
import { createClient } from 'redis';
import { startRedis } from '../operate/redis.js';
import { startSystem } from '../system/start-system.js';

const LIMIT = 60;
const PAUSE_MS = 20;
/** More than a whole limit, so that a second burst would show. */
const REQUESTS_PER_STATE = LIMIT + 20;

/** Counts a customer's requests by what the limit said. */
class Pressure {
  readonly #api: ApiClient;
  readonly #startedMs = elapsed();
  admitted = 0;
  refused = 0;

  constructor(api: ApiClient) {
    this.#api = api;
  }

  async ask(times = 1): Promise<void> {
    for (let i = 0; i < times; i++) {
      const { status, text } = await this.#api.get('/customers/me');
      if (status === 200) this.admitted += 1;
      else if (status === 429) this.refused += 1;
      else throw new Error(`${status}: ${text}`);
      await sleep(PAUSE_MS);
    }
  }

  /** The whole limit, and one request per second since the first one. */
  get allowed(): number {
    return LIMIT + Math.ceil((elapsed() - this.#startedMs) / 1_000);
  }
}

// REDIS_URL shows that the program is installed; this suite starts a server of its own.
describeWith('REDIS_URL', 'a rate limit while Redis fails', () => {
  it('admits one limit in all', async () => {
    const redis = await startRedis();
    const client = createClient({ url: redis.url });
    client.on('error', () => undefined); // the test ends the server
    const system = await startSystem({ mode: 'one process', env: { REDIS_URL: redis.url } });
    try {
      await client.connect();
      const project = await system.project();
      const customer = await project.customerOn('free', { tier: { rate_limit_per_minute: LIMIT } });
      const pressure = new Pressure(customer.api);
      const isInRedis = async () => {
        await pressure.ask();
        return (await client.exists(`tollgate:rate:c:${customer.id}`)) === 1;
      };
      const awaitRedis = () => waitUntil(isInRedis, { what: 'the limit to count in Redis', timeoutMs: 60_000 });
      await awaitRedis();
      await pressure.ask(REQUESTS_PER_STATE);

      await client.flushAll();
      await awaitRedis();
      await pressure.ask(REQUESTS_PER_STATE);

      redis.freeze();
      await pressure.ask(REQUESTS_PER_STATE);
      redis.thaw();
      await pressure.ask(REQUESTS_PER_STATE);

      await redis.stop();
      await pressure.ask(REQUESTS_PER_STATE);
      await redis.start();
      await awaitRedis();
      await pressure.ask(REQUESTS_PER_STATE);

      expect(pressure.admitted).toBeGreaterThanOrEqual(LIMIT);
      expect(pressure.refused).toBeGreaterThan(0);
      expect(pressure.admitted).toBeLessThanOrEqual(pressure.allowed);
    } finally {
      client.destroy();
      redis.thaw();
      await system.stop();
      await redis.stop();
    }
  }, 300_000);
});
