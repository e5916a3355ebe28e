// The longest delay of the event loop of each service, from its metrics: shows which process made others wait.
import type { Stack } from '@tollgate/local';
import { parseMetrics } from '@tollgate/testkit';

export const LOOPS = ['edge-gateway', 'gateway-inference', 'billing-ledger', 'workflow-engine'] as const;

/** Milliseconds by service since the last call. */
export type LoopDelays = Record<string, number>;

export async function readLoopDelays(services: Stack['services']): Promise<LoopDelays> {
  const delays: LoopDelays = {};
  for (const name of LOOPS) {
    const answer = await fetch(`${services[name]?.health}/metrics`, { signal: AbortSignal.timeout(30_000) });
    const { samples = [] } = parseMetrics(await answer.text()).tollgate_event_loop_delay_seconds ?? {};
    delays[name] = 1000 * (samples.find(({ labels }) => labels.quantile === 'max')?.value ?? Number.NaN);
  }
  return delays;
}
