// The longest delay of the event loop of each service, from its metrics: shows which process made others wait.
import type { Stack } from '@tollgate/local';
import { parseMetrics } from '@tollgate/testkit';

export const LOOPS = ['edge-gateway', 'gateway-inference', 'billing-ledger', 'workflow-engine'] as const;

/** Milliseconds by service since the last call. */
export type LoopDelays = Record<string, number>;

export async function readLoopDelays(services: Stack['services']): Promise<LoopDelays> {
  const delays: LoopDelays = {};
  for (const name of LOOPS) delays[name] = await readLoopDelay(`${services[name]?.health}/metrics`);
  return delays;
}

/** Returns NaN when a busy service does not answer with its metrics: the report must not fail a test. */
async function readLoopDelay(url: string): Promise<number> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(30_000) });
    const { samples = [] } = parseMetrics(await answer.text()).tollgate_event_loop_delay_seconds ?? {};
    return 1000 * (samples.find(({ labels }) => labels.quantile === 'max')?.value ?? Number.NaN);
  } catch {
    return Number.NaN;
  }
}
