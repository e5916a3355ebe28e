// Redis holds rate limits and cached answers. Emptying it again and again under load must not lose money.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { waitUntil } from '@tollgate/testkit';
import { describeWith } from '@tollgate/testkit/describe-with';
import { createClient } from 'redis';
import { startSystem } from '../system/start-system.js';
import { expectNothingLost, openHarness } from './harness.js';
import { startLoad } from './loads/load.js';

const ROUNDS = 5;
const ANSWERS_PER_ROUND = 10;

describeWith('REDIS_URL', 'Redis emptied under load', (url) => {
  it('charges every token once and keeps no funds held', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-chaos-'));
    const journalFile = join(folder, 'provider.ndjson');
    const env = {
      HOLD_TTL: '4s',
      HOLD_SWEEP_INTERVAL: '250ms',
      RATE_LIMIT_CUSTOMER_PER_MINUTE: '100000',
      RATE_LIMIT_SECRET_KEY_PER_MINUTE: '100000',
    };
    const system = await startSystem({ mode: 'separate processes', journalFile, env });
    const redis = await createClient({ url }).connect();
    try {
      const harness = await openHarness(system, journalFile);
      const load = startLoad(harness.payers);
      try {
        for (let round = 0; round < ROUNDS; round++) {
          await redis.flushDb();
          const before = load.completed();
          const what = 'answers after Redis was emptied';
          await waitUntil(() => load.completed() >= before + ANSWERS_PER_ROUND, { what });
        }
      } finally {
        await load.stop();
      }
      const { holds } = await expectNothingLost(system, harness, load.asked);
      expect(holds.size).toBeGreaterThanOrEqual(ROUNDS * ANSWERS_PER_ROUND);
    } finally {
      redis.destroy();
      await system.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  }, 600_000);
});
