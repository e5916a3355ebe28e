import { type ChainOptions, type ChainResult, startDbos } from './durable-steps.js';
import { startEngineHarness } from './engine.js';
import { recoveryAfterKill } from './engine-recovery.js';
import { BENCH_MODEL, startGateway } from './gateway.js';
import { percentile } from './http-load.js';
import { processUsage } from './process-usage.js';
import { onDurableDatabase, postmasterPid, startUpstream } from './servers.js';
import { ms, table } from './table.js';

const PEER = 'DBOS 5.3.0, empty steps';
const CHAIN_LENGTH = 20;
const TURN_MS = 3_000;

/** Tables about runs: steps compared with DBOS, readers, and recovery. */
export async function engineTables(rounds: number): Promise<string> {
  const steps = await onDurableDatabase((url) => stepTables(url, { rounds, durationMs: TURN_MS }));
  const paced = await startUpstream([]);
  const gateway = await startGateway(paced.baseUrl, true);
  try {
    const r = await recoveryAfterKill(gateway, BENCH_MODEL);
    const head = `kill -9 of the engine amid ${r.runs} model calls: serves again after | they continue after, p50 | at most`;
    return steps + table(head, [[r.servesAgainMs, r.goesOnP50Ms, r.goesOnMaxMs].map(ms).join(' | ')]);
  } finally {
    await gateway.stop();
    paced.stop();
  }
}

type Chains = (options: ChainOptions) => Promise<ChainResult>;

interface Turn extends ChainResult {
  /** CPU per step of this process, in which all contenders run. */
  nodeMs: number;
  postgresMs: number;
}

/**
 * Measures our chains of durable steps and the peer's on one server, in turns: the checkpoints and the speed of the machine then
 * meet all of them. The first turns warm up and do not count.
 */
async function stepTables(url: string, options: { rounds: number; durationMs: number }): Promise<string> {
  const postgres = await postmasterPid(url);
  const peer = await startDbos(url);
  const engine = await startEngineHarness(url);
  const contenders: Record<string, Chains> = {
    [PEER]: peer.chains,
    'Tollgate, transforms': (size) => engine.chains('transforms', size),
    'Tollgate, model calls': (size) => engine.chains('model calls', size),
  };
  try {
    const lines: string[] = [];
    for (const clients of [1, 32]) lines.push(...(await compare(contenders, clients, { ...options, postgres })));
    const r = await engine.readers();
    const readHead = `events/s to ${r.readers} readers of a run of ${r.events} events, live | stored`;
    return (
      table(
        'chains of 20 steps, durable commits | at once | steps/s | × DBOS: lowest, median, highest | per step p50 | p99 | CPU per step: Node / PostgreSQL',
        lines,
      ) + table(readHead, [`${Math.round(r.livePerSecond)} | ${Math.round(r.storedPerSecond)}`])
    );
  } finally {
    await engine.stop();
    await peer.stop();
  }
}

async function compare(
  contenders: Record<string, Chains>,
  clients: number,
  { postgres, rounds, durationMs }: { postgres: number; rounds: number; durationMs: number },
): Promise<string[]> {
  const turns = new Map<string, Turn[]>(Object.keys(contenders).map((name) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const [name, chains] of Object.entries(contenders)) {
      const result = await takeTurn(() => chains({ length: CHAIN_LENGTH, clients, durationMs }), postgres);
      if (round > 0) turns.get(name)?.push(result);
      console.error(
        `${name}, ${clients} at once: ${Math.round(result.stepsPerSecond)}/s${round > 0 ? '' : ' (warm-up)'}`,
      );
    }
  }
  const peer = turns.get(PEER) ?? [];
  return [...turns].map(([name, results]) => stepLine(name, clients, results, peer));
}

async function takeTurn(run: () => Promise<ChainResult>, postgres: number): Promise<Turn> {
  const [nodeBefore, postgresBefore] = [process.cpuUsage(), processUsage(postgres).cpuMs];
  const result = await run();
  const { user, system } = process.cpuUsage(nodeBefore);
  const postgresMs = processUsage(postgres).cpuMs - postgresBefore;
  return { ...result, nodeMs: (user + system) / 1000 / result.steps, postgresMs: postgresMs / result.steps };
}

function stepLine(name: string, clients: number, results: readonly Turn[], peer: readonly ChainResult[]): string {
  const median = (value: (result: Turn) => number) => percentile(results.map(value), 0.5);
  const ratios = results.map(
    ({ stepsPerSecond }, round) => stepsPerSecond / (peer[round]?.stepsPerSecond ?? Number.NaN),
  );
  return [
    name,
    clients,
    Math.round(median(({ stepsPerSecond }) => stepsPerSecond)),
    [Math.min(...ratios), percentile(ratios, 0.5), Math.max(...ratios)].map((ratio) => ratio.toFixed(2)).join(', '),
    ms(median(({ p50Ms }) => p50Ms)),
    ms(median(({ p99Ms }) => p99Ms)),
    `${median(({ nodeMs }) => nodeMs).toFixed(2)} / ${median(({ postgresMs }) => postgresMs).toFixed(2)} ms`,
  ].join(' | ');
}
