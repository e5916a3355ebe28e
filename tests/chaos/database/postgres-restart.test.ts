// PostgreSQL crashes and restarts under load. Until then, services answer with retryable errors, never INTERNAL, and no
// money is lost or stays held.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type LocalDatabase, startLocalDatabase } from '@tollgate/local';
import { waitUntil } from '@tollgate/testkit';
import { type System, startSystem } from '../../system/start-system.js';
import { expectNothingLost, openHarness } from '../harness.js';
import { startLoad } from '../loads/load.js';
import { restartServer } from '../mixed/faults.js';
import { everyService, expectOnlyRetryable, startAsking } from './asking.js';

const SIGNALS = ['SIGINT', 'SIGKILL', 'SIGINT'] as const;
const ANSWERS_AFTER_RESTART = 10;

let folder: string;
let database: LocalDatabase;
let system: System;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-chaos-'));
  chmodSync(folder, 0o755); // as root the server runs under another account, which has to enter
  database = await startLocalDatabase(join(folder, 'postgres'), () => undefined);
  system = await startSystem({
    mode: 'separate processes',
    journalFile: join(folder, 'provider.ndjson'),
    database: { url: database.url, drop: async () => undefined },
    env: {
      HOLD_TTL: '4s',
      HOLD_SWEEP_INTERVAL: '250ms',
      RATE_LIMIT_CUSTOMER_PER_MINUTE: '100000',
      RATE_LIMIT_SECRET_KEY_PER_MINUTE: '100000',
    },
  });
});
afterAll(async () => {
  await system?.stop();
  await database.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('PostgreSQL restarted under load', () => {
  it('returns at most a retryable 503 and accounts for every token', async () => {
    const harness = await openHarness(system, join(folder, 'provider.ndjson'));
    const load = startLoad(harness.payers);
    const asking = startAsking(await everyService(system, harness));
    try {
      for (const signal of SIGNALS) {
        await restartServer(system, signal);
        const before = load.completed();
        const what = 'answers after the restart';
        await waitUntil(() => load.completed() >= before + ANSWERS_AFTER_RESTART, { what, timeoutMs: 60_000 });
      }
    } finally {
      await load.stop();
      await asking.stop();
    }
    expect(asking.failed().length).toBeGreaterThan(0);
    expectOnlyRetryable(asking);
    await expectNothingLost(system, harness, load.asked);
  }, 600_000);
});
