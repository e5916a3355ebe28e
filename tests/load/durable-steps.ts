import { randomUUID } from 'node:crypto';
import { DBOS } from '@dbos-inc/dbos-sdk';
import { percentile } from './http-load.js';

/** Chains of durable steps, many at a time. */
export interface ChainResult {
  steps: number;
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

/** The same as the engine's. */
export const POOL_MAX = 16;

/** Keeps chains running. `chain` returns the milliseconds of its steps. */
export async function measureChains(
  chain: (client: number) => Promise<number[]>,
  options: ChainOptions,
): Promise<ChainResult> {
  const { clients, durationMs } = options;
  const steps: number[] = [];
  const started = performance.now();
  const work = async (client: number): Promise<void> => {
    while (performance.now() < started + durationMs) for (const took of await chain(client)) steps.push(took);
  };
  await Promise.all(Array.from({ length: clients }, (_, client) => work(client)));
  const tookMs = performance.now() - started;
  return {
    steps: steps.length,
    stepsPerSecond: steps.length / (tookMs / 1000),
    p50Ms: percentile(steps, 0.5),
    p99Ms: percentile(steps, 0.99),
  };
}

/** DBOS in this process with its own database on the same server: chains of the same number of durable steps, all empty. */
export async function startDbos(
  serverUrl: string,
): Promise<{ chains(options: ChainOptions): Promise<ChainResult>; stop(): Promise<void> }> {
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
  return {
    chains: (options) => measureChains(() => chain(options.length), options),
    stop: () => DBOS.shutdown(),
  };
}
