import { randomUUID } from 'node:crypto';
import { DBOS } from '@dbos-inc/dbos-sdk';
import { percentile } from './http-load.js';

/** Chains of durable steps, many at a time. */
export interface ChainResult {
  stepsPerSecond: number;
  /** From the end of one step to the end of the next. */
  p50Ms: number;
  p99Ms: number;
}

export interface ChainOptions {
  /** Steps per chain; each waits for the previous one. */
  length: number;
  /** Chains at the same time. */
  clients: number;
  durationMs: number;
}

const WARM_UP_MS = 1_500;
/** The same as the engine's. */
export const POOL_MAX = 16;

/** Keeps chains running, first to warm up, then for the measurement. `chain` returns the milliseconds of its steps. */
export async function measureChains(
  chain: (client: number) => Promise<number[]>,
  options: ChainOptions,
): Promise<ChainResult> {
  const { clients, durationMs } = options;
  const during = async (ms: number): Promise<{ steps: number[]; tookMs: number }> => {
    const steps: number[] = [];
    const started = performance.now();
    const work = async (client: number): Promise<void> => {
      while (performance.now() < started + ms) for (const took of await chain(client)) steps.push(took);
    };
    await Promise.all(Array.from({ length: clients }, (_, client) => work(client)));
    return { steps, tookMs: performance.now() - started };
  };
  await during(WARM_UP_MS);
  const { steps, tookMs } = await during(durationMs);
  return {
    stepsPerSecond: steps.length / (tookMs / 1000),
    p50Ms: percentile(steps, 0.5),
    p99Ms: percentile(steps, 0.99),
  };
}

/** Runs DBOS in this process with its own database on the same server: the same number of durable steps, all empty. */
export async function dbosLoad(serverUrl: string, all: readonly ChainOptions[]): Promise<ChainResult[]> {
  const url = new URL(serverUrl);
  url.pathname = `/dbos_${randomUUID().slice(0, 8)}`;
  DBOS.setConfig({
    name: 'bench',
    systemDatabaseUrl: url.href,
    systemDatabasePoolSize: POOL_MAX,
    logLevel: 'error',
  });
  const chain = DBOS.registerWorkflow(
    async (length: number) => {
      const took: number[] = [];
      let last = performance.now();
      for (let step = 0; step < length; step++) {
        await DBOS.runStep(async () => ({ value: step }), { name: `step${step}` });
        took.push(performance.now() - last);
        last = performance.now();
      }
      return took;
    },
    { name: 'chain' },
  );
  await DBOS.launch();
  try {
    const results: ChainResult[] = [];
    for (const options of all) results.push(await measureChains(() => chain(options.length), options));
    return results;
  } finally {
    await DBOS.shutdown();
  }
}
