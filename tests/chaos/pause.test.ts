// One of two replicas is paused under load and continues after its peers have replaced it. Every token that the
// provider served is posted, overrun or unreconciled; no customer is charged twice for a key; no funds stay held; and only
// work that was dispatched is unreconciled.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { waitUntil } from '@tollgate/testkit';
import { processUsage } from '../load/process-usage.js';
import { must, type TestCustomer } from '../system/start-system.js';
import {
  buildRun,
  expectNothingLost,
  expectRunSucceeds,
  openHarness,
  upstreamRequest,
  WALLET_MICROCENTS,
} from './harness.js';
import { judgeKeys, type KeyedLoad, startKeyedLoad } from './loads/keyed-load.js';
import { type Load, startLoad } from './loads/load.js';
import { useJournaledSystem } from './use-journaled-system.js';

const REPLICATED = ['billing-ledger', 'gateway-inference', 'edge-gateway', 'workflow-engine'] as const;
type Replicated = (typeof REPLICATED)[number];
const EDGES = ['edge-gateway', 'edge-gateway-2'] as const;

/** Answers of each kind of load to wait for before the pause, and again after it. */
const ANSWERS = 8;
const ANSWERS_MS = 60_000;
const KEYED_PER_PAYER = 4;
const RUNS_PER_ROUND = 3;
/** Longer than a hold lives without progress (8 s), a lease (3 s) and the default deadline of a call (10 s). */
const SHORT_PAUSE_MS = 13_000;
/** Longer than a gRPC client waits for a peer's keepalive: 30 s and 10 s. */
const LONG_PAUSE_MS = 45_000;
/** Longest wait for what the pause delays: a claim, a dead connection, a lease, the attempts of a settlement. */
const RECOVERY_MS = 90_000;

const { system, journalFile } = useJournaledSystem({
  replicas: Object.fromEntries(REPLICATED.map((name) => [name, 2])),
  env: {
    HOLD_TTL: '8s',
    HOLD_SWEEP_INTERVAL: '250ms',
    WORK_LEASE: '3s',
    WORK_HEARTBEAT: '1s',
    RATE_LIMIT_CUSTOMER_PER_MINUTE: '100000',
    RATE_LIMIT_SECRET_KEY_PER_MINUTE: '100000',
  },
});
/** Requests that clients repeated, per round. */
const repeats: number[] = [];

it.each(REPLICATED)(
  'loses nothing and charges nothing twice when a replica of %s is paused past its holds and leases',
  (name) => playRound([name], SHORT_PAUSE_MS),
  600_000,
);

it.each<readonly Replicated[][]>([[['gateway-inference', 'workflow-engine']], [['billing-ledger', 'edge-gateway']]])(
  'loses nothing and charges nothing twice when a replica of each of %j is paused until it seems dead',
  (names) => playRound(names, LONG_PAUSE_MS),
  600_000,
);

// In a single round calls may have moved to the other replica before the pause.
it('makes clients repeat requests in at least one of these rounds', () => {
  expect(repeats.length === 0 || Math.max(...repeats) > 0).toBe(true);
});

async function playRound(names: readonly Replicated[], pauseMs: number): Promise<void> {
  const harness = await openHarness(system, journalFile);
  const runner = await harness.project.customerOn('paygo', { walletMicrocents: WALLET_MICROCENTS });
  const payers = harness.payers.map((payer) => EDGES.map((edge) => payer.at(system.at(edge).baseUrl)));
  const load = startLoad(payers.flat(), 1);
  const keyed = startKeyedLoad(payers, KEYED_PER_PAYER);
  let runIds: string[] = [];
  try {
    await untilAnswered(load, keyed, 'before the pause');
    runIds = await startRuns(runner);
    const busyBefore = usages();
    await untilAnswered(load, keyed, 'just before the pause');
    await pause(
      names.map((name) => busiest(name, busyBefore)),
      pauseMs,
    );
    await untilAnswered(load, keyed, 'after the pause');
  } finally {
    await Promise.all([load.stop(), keyed.finish(RECOVERY_MS)]);
  }
  // The money is checked even if runs failed.
  const runs = await Promise.allSettled(runIds.map((runId) => expectRunSucceeds(runner.api, runId, RECOVERY_MS)));
  await expectNothingLost(system, harness, load.asked, { settlingMs: RECOVERY_MS, hasNoDeaths: true });
  expect(await judgeKeys(system, harness, keyed)).toEqual([]);
  await expectRunsPaid(runner, runIds);
  for (const run of runs) if (run.status === 'rejected') throw run.reason;
  repeats.push(keyed.repeats());
}

async function untilAnswered(load: Load, keyed: KeyedLoad, when: string): Promise<void> {
  const [plain, withKey] = [load.completed() + ANSWERS, keyed.answered() + ANSWERS];
  await waitUntil(() => load.completed() >= plain && keyed.answered() >= withKey, {
    what: `answers ${when}`,
    timeoutMs: ANSWERS_MS,
  });
}

async function startRuns({ api }: TestCustomer): Promise<string[]> {
  const run = buildRun(['first', 'second', 'third'], upstreamRequest('say 50 tokens, slow 40 ms'));
  const start = async (): Promise<string> => must(await api.post('/runs', run), 200).run_id;
  return Promise.all(Array.from({ length: RUNS_PER_ROUND }, start));
}

/** CPU time of every replica so far. */
function usages(): Map<string, number> {
  const keys = REPLICATED.flatMap((name) => [name, `${name}-2`]);
  return new Map(keys.map((key) => [key, processUsage(system.findPid(key)).cpuMs]));
}

/** Returns the busier replica since `before`: a client's calls go to one of the two for a while. */
function busiest(name: Replicated, before: ReadonlyMap<string, number>): string {
  const now = usages();
  const work = (key: string): number => (now.get(key) ?? 0) - (before.get(key) ?? 0);
  return work(name) > work(`${name}-2`) ? name : `${name}-2`;
}

async function pause(keys: readonly string[], pauseMs: number): Promise<void> {
  const pids = keys.map((key) => system.findPid(key));
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  try {
    await sleep(pauseMs);
  } finally {
    for (const pid of pids) process.kill(pid, 'SIGCONT');
  }
}

/** Checks that the customer pays for runs what their cost summaries say. */
async function expectRunsPaid({ id, api }: TestCustomer, runIds: readonly string[]): Promise<void> {
  const snapshots = await Promise.all(runIds.map(async (runId) => must(await api.get(`/runs/${runId}`), 200)));
  const shown = snapshots.reduce((sum, { cost_summary }) => sum + Math.round(cost_summary.total_usd_cents * 1e6), 0);
  const [charged] = await system.query<{ microcents: string }>(
    'SELECT coalesce(sum(customer_microcents), 0)::text AS microcents FROM billing_ledger.holds WHERE customer_id = $1',
    [id],
  );
  expect({ shown, paid: Number(charged?.microcents) }).toEqual({ shown, paid: shown });
}
