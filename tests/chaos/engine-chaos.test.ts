// Engine processes are killed, halted and disconnected from PostgreSQL during runs: every run succeeds, its event
// log has no gap and one end, all readers get the same bytes, and each step is paid once.
import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { foldEvents, type Json, type RunEvent, waitUntil } from '@tollgate/testkit';
import { type System, startSystem } from '../system/start-system.js';
import { awaitConnected, type Engines, FAULTS, planStorm, startEngines } from './engines.js';
import { type ChaosHarness, expectNothingLost, openHarness } from './harness.js';
import { longWorkflow, randomWorkflow, readThroughBreaks, startRun, startToolClient } from './loads/run-load.js';
import { type Random, seeded } from './random.js';
import { expectRunsPaidOnce, readSnapshot } from './run-reckoning.js';

/** CHAOS_SEED repeats the workflows and the order of the faults; the time of each fault depends on the machine. */
const SEED = Number(process.env.CHAOS_SEED ?? randomInt(1_000_000));
const FAULTS_TO_COME = 9;
const STORMS_MAX = 5;
const RUNS_PER_FAULT = 2;
const DEATHS = 5;
const LEASE_MS = 2_000;
const TERMINAL = ['run_completed', 'run_failed', 'run_canceled'];

let folder: string;
let journalFile: string;
let system: System;
let engines: Engines;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-storm-'));
  journalFile = join(folder, 'provider.ndjson');
  system = await startSystem({
    mode: 'separate processes',
    journalFile,
    env: {
      HOLD_TTL: '4s',
      HOLD_SWEEP_INTERVAL: '250ms',
      WORK_LEASE: `${LEASE_MS}ms`,
      WORK_HEARTBEAT: `${LEASE_MS / 4}ms`,
      WORK_POLL: '250ms',
      RATE_LIMIT_CUSTOMER_PER_MINUTE: '1000000',
      RATE_LIMIT_SECRET_KEY_PER_MINUTE: '1000000',
    },
  });
  engines = await startEngines(system);
  await awaitConnected(system);
});
afterAll(async () => {
  await engines?.stop();
  await system?.stop();
  rmSync(folder, { recursive: true, force: true });
});

it(`completes runs with exact logs and charges under every engine fault (CHAOS_SEED=${SEED})`, async () => {
  const random = seeded(SEED);
  const harness = await openHarness(system, journalFile);
  const runs = startRuns(harness, random);
  try {
    // The time of a fault decides whether an attempt is lost, so a storm may pass without a loss.
    for (let storm = 0; storm < STORMS_MAX && !(await hasLostAttempt(runs.ids)); storm++) {
      for (const fault of planStorm(random, FAULTS_TO_COME)) {
        await Promise.all(Array.from({ length: RUNS_PER_FAULT }, () => runs.begin(randomWorkflow(random))));
        await sleep(random.below(600)); // anywhere in the runs' course
        await FAULTS[fault](random.pick(engines.all), system, LEASE_MS);
      }
      await runs.expectRight();
    }
  } finally {
    await runs.stop();
  }
  await expectNothingLost(system, harness, []);
  const steps = await expectRunsPaidOnce(system, harness, runs.ids);
  // At least one attempt was lost, so the faults had an effect.
  expect(steps.some(({ status }) => status === 'ambiguous')).toBe(true);
});

it(`completes a run of 50 nodes with client tools after five engine crashes (CHAOS_SEED=${SEED})`, async () => {
  const random = seeded(SEED + 1);
  const harness = await openHarness(system, journalFile);
  const runs = startRuns(harness, random);
  try {
    const runId = await runs.begin(longWorkflow(50));
    for (let death = 0; death < DEATHS; death++) {
      const due = (50 / (DEATHS + 1)) * death + random.below(5);
      await waitUntil(async () => (await nodesEnded(runId)) >= due, { what: `${due} nodes`, timeoutMs: 60_000 });
      await Promise.all(engines.all.map((engine) => engine.kill()));
    }
    await runs.expectRight();
  } finally {
    await runs.stop();
  }
  await expectNothingLost(system, harness, []);
  const steps = await expectRunsPaidOnce(system, harness, runs.ids);
  // At least one attempt was lost, so the faults had an effect.
  expect(steps.some(({ status }) => status === 'ambiguous')).toBe(true);
});

interface Runs {
  ids: string[];
  /** Starts a run, its client and two readers of its log. */
  begin(spec: object): Promise<string>;
  /** Waits until both readers of each run have reached the end of its log. */
  expectRight(): Promise<void>;
  stop(): Promise<void>;
}

function startRuns(harness: ChaosHarness, random: Random): Runs {
  const { api, token } = harness.wallet;
  const ids: string[] = [];
  const logs = new Map<string, Promise<[string[], string[]]>>();
  const client = startToolClient(api, ids);
  return {
    ids,
    begin: async (spec) => {
      const runId = await startRun(api, spec);
      ids.push(runId);
      const url = `${system.baseUrl}/runs/${runId}/events`;
      const read = () => readThroughBreaks(url, token, seeded(random.below(2 ** 32)));
      const both = Promise.all([read(), read()]);
      // It is awaited at the end; until then a failure must not be an unhandled rejection.
      both.catch(() => undefined);
      logs.set(runId, both);
      return runId;
    },
    expectRight: async () => {
      for (const [runId, read] of logs) {
        const [one, other] = await read;
        expect(other).toEqual(one);
        await expectRightLog(harness, runId, one);
      }
    },
    stop: () => client.stop(),
  };
}

async function hasLostAttempt(runIds: readonly string[]): Promise<boolean> {
  const lost = "SELECT 1 FROM workflow_engine.run_steps WHERE run_id = ANY ($1) AND status = 'ambiguous' LIMIT 1";
  return (await system.query(lost, [runIds])).length > 0;
}

async function nodesEnded(runId: string): Promise<number> {
  const [row] = await system.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM workflow_engine.run_nodes WHERE run_id = $1 AND ended_at IS NOT NULL',
    [runId],
  );
  return row?.count ?? 0;
}

async function expectRightLog({ wallet }: ChaosHarness, runId: string, lines: readonly string[]): Promise<void> {
  const events = lines.map((line): RunEvent => JSON.parse(line));
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  expect(events.filter(({ type }) => TERMINAL.includes(type))).toEqual([events.at(-1)]);
  const snapshot = await readSnapshot(wallet, runId);
  const nodeIds: string[] = snapshot.nodes.map(({ id }: Json) => id);
  const { nodes, ...run } = foldEvents(events, nodeIds);
  const { status, plan_hash: planHash, outputs, error } = snapshot;
  expect(run).toEqual({ status, planHash, outputs, ...(error && { error }) });
  expect(status).toBe('succeeded');
  expect(Object.entries(nodes).map(([id, { text: _text, ...node }]) => ({ id, ...node }))).toEqual(
    snapshot.nodes.map(({ id, status: of, started_at: startedAt, ended_at: endedAt, error: failure }: Json) => ({
      id,
      status: of,
      ...(startedAt && { startedAt }),
      ...(endedAt && { endedAt }),
      ...(failure && { error: failure }),
    })),
  );
}
