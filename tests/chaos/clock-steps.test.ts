// The wall clock of one service steps under load, forwards and backwards. No request fails or waits for the step, and
// nothing is lost or charged twice.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from '@jest/globals';
import { SERVICE_NAMES, type ServiceName } from '@tollgate/local';
import { elapsed } from '@tollgate/runtime';
import { describeWith } from '@tollgate/testkit/describe-with';
import { must } from '../system/start-system.js';
import { buildRun, expectNothingLost, expectRunSucceeds, openHarness, upstreamRequest } from './harness.js';
import { type Load, startLoad } from './loads/load.js';
import { STEP_SEEN_MS, stepClock, useStoredClock } from './stored-clock.js';
import { useJournaledSystem } from './use-journaled-system.js';

/** Seconds by which the clock is wrong, one after the other; the last puts it right. */
const STEPS = [60, -60, 3_600, -3_600, 0] as const;
/** Time that the service lives with each step. */
const STEP_MS = 2_000;
/** Far below the smallest step and far above what a busy machine does to a request. */
const STALL_MS = 20_000;
const RUN_MS = 120_000;

describeWith('LIBFAKETIME', 'a clock that steps', (library) => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-clocks-'));
  const clockFile = (key: string): string => join(folder, key);
  const step = (key: string, seconds: number): void => stepClock(clockFile(key), seconds);

  const { system, journalFile } = useJournaledSystem({
    envFor: (key) => useStoredClock(library, clockFile(key)),
    env: {
      // Signed-in users and customers stay signed in for longer than the largest step.
      ACCESS_TOKEN_TTL: '24h',
      WORK_LEASE: '3s',
      WORK_HEARTBEAT: '1s',
      RATE_LIMIT_CUSTOMER_PER_MINUTE: '100000',
      RATE_LIMIT_SECRET_KEY_PER_MINUTE: '100000',
    },
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(SERVICE_NAMES)(
    'fails no request and stops no work when the clock of %s steps',
    async (name) => {
      const harness = await openHarness(system, journalFile);
      const load = startLoad(harness.payers, 1);
      const stalls: number[] = [];
      const runIds: string[] = [];
      try {
        stalls.push(await longestStall(load, STEP_MS));
        for (const seconds of STEPS) {
          const run = buildRun(['first', 'second'], upstreamRequest('say 50 tokens, slow 40 ms'));
          runIds.push(must(await harness.wallet.api.post('/runs', run), 200).run_id);
          step(name, seconds);
          stalls.push(await longestStall(load, STEP_SEEN_MS + STEP_MS));
        }
      } finally {
        step(name, 0);
        await sleep(STEP_SEEN_MS);
        await load.stop();
      }
      console.info(`${name}: longest times without an answer, ms: ${stalls.map(Math.round).join(', ')}`);
      expect(Math.max(...stalls)).toBeLessThan(STALL_MS);
      expect(load.asked.filter(({ isComplete, isBoundToFail }) => !isComplete && !isBoundToFail)).toEqual([]);
      for (const runId of runIds) await expectRunSucceeds(harness.wallet.api, runId, RUN_MS);
      await expectNothingLost(system, harness, load.asked, { hasNoDeaths: true });
    },
    600_000,
  );

  it('shows the time of a stepped clock to clients', async () => {
    const name: ServiceName = 'edge-gateway';
    step(name, 3_600);
    await sleep(2 * STEP_SEEN_MS);
    const { headers } = await fetch(`${system.baseUrl}/openapi.json`);
    step(name, 0);
    expect(Date.parse(headers.get('date') ?? '')).toBeGreaterThan(Date.now() + 3_000_000);
  });
});

/** Watches the load for a time and to its next answer; returns the longest stretch without an answer, ms. */
async function longestStall(load: Load, watchMs: number): Promise<number> {
  const endsAt = elapsed() + watchMs;
  let [answers, answeredAt, longest] = [load.completed(), elapsed(), 0];
  while (answeredAt < endsAt && elapsed() < endsAt + STALL_MS) {
    await sleep(20);
    longest = Math.max(longest, elapsed() - answeredAt);
    if (load.completed() > answers) [answers, answeredAt] = [load.completed(), elapsed()];
  }
  return longest;
}
