// Runs while an engine is paused for longer than its lease, and while the ledger is killed and restarts late:
// every run succeeds, and its customer pays each step once.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@tollgate/testkit';
import { type System, startSystem } from '../system/start-system.js';
import { awaitConnected, type Engines, startEngines } from './engines.js';
import { buildRun, type ChaosHarness, expectNothingLost, openHarness, upstreamRequest } from './harness.js';
import { startRun } from './loads/run-load.js';
import { expectRunsPaidOnce, readSnapshot } from './run-reckoning.js';

const RUNS = 8;
const STEPS = ['s1', 's2', 's3', 's4'];
/** Longer than the lease of 3 s and the transaction timeout of a halted process. */
const ENGINE_PAUSE_MS = 8_000;
/** Longer than the 10 s that interactive clients wait for a settlement. */
const LEDGER_PAUSE_MS = 16_000;
const RUN_MS = 90_000;

let folder: string;
let journalFile: string;
let system: System;
let engines: Engines;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-pause-'));
  journalFile = join(folder, 'provider.ndjson');
  const env = {
    RATE_LIMIT_CUSTOMER_PER_MINUTE: '1000000',
    RATE_LIMIT_SECRET_KEY_PER_MINUTE: '1000000',
    WORK_LEASE: '3s',
    WORK_HEARTBEAT: '1s',
  };
  system = await startSystem({ mode: 'separate processes', journalFile, env });
  engines = await startEngines(system);
  await awaitConnected(system);
});
afterAll(async () => {
  await engines?.stop();
  await system?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Starts runs and causes the fault once each of them has a running model call. */
async function runsThrough(harness: ChaosHarness, strike: () => Promise<void>): Promise<string[]> {
  const input = { request: upstreamRequest('say 40 tokens, slow 50 ms'), stream: true };
  const { spec } = buildRun(STEPS, input) as { spec: object };
  const ids = await Promise.all(Array.from({ length: RUNS }, () => startRun(harness.wallet.api, spec)));
  await waitUntil(async () => (await dispatched(ids)) === RUNS, { what: 'a call of each run' });
  await strike();
  for (const runId of ids) {
    const run = await waitUntil(
      async () => {
        const snapshot = await readSnapshot(harness.wallet, runId);
        return snapshot.status === 'running' ? undefined : snapshot;
      },
      { what: 'the end of the run', timeoutMs: RUN_MS },
    );
    expect(run).toMatchObject({ status: 'succeeded' });
  }
  return ids;
}

async function dispatched(runIds: readonly string[]): Promise<number | undefined> {
  const [row] = await system.query<{ runs: number }>(
    `SELECT count(DISTINCT run_id)::int AS runs FROM workflow_engine.run_steps
     WHERE run_id = ANY ($1) AND dispatched_at IS NOT NULL`,
    [runIds],
  );
  return row?.runs;
}

async function pause(pid: number, ms: number): Promise<void> {
  process.kill(pid, 'SIGSTOP');
  try {
    await sleep(ms);
  } finally {
    process.kill(pid, 'SIGCONT');
  }
}

describe('runs', () => {
  it.each([0, 1])(
    'charges runs once when engine %i is paused beyond its lease',
    async (index) => {
      const harness = await openHarness(system, journalFile);
      const ids = await runsThrough(harness, () => pause(engines.all[index]?.pid() as number, ENGINE_PAUSE_MS));
      await expectNothingLost(system, harness, []);
      await expectRunsPaidOnce(system, harness, ids);
    },
    600_000,
  );

  it('charges runs once when both engines are paused beyond their leases', async () => {
    const harness = await openHarness(system, journalFile);
    const ids = await runsThrough(harness, async () => {
      await Promise.all(engines.all.map((engine) => pause(engine.pid(), ENGINE_PAUSE_MS)));
    });
    await expectNothingLost(system, harness, []);
    await expectRunsPaidOnce(system, harness, ids);
  }, 600_000);

  it('completes runs without serving a step twice when the ledger is killed and returns late', async () => {
    const harness = await openHarness(system, journalFile);
    const ids = await runsThrough(harness, async () => {
      await system.kill('billing-ledger');
      await pause(system.findPid('billing-ledger'), LEDGER_PAUSE_MS);
    });
    await expectNothingLost(system, harness, []);
    const steps = await expectRunsPaidOnce(system, harness, ids);
    expect(steps.filter(({ status }) => status !== 'settled')).toEqual([]);
  }, 600_000);
});
