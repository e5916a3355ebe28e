// The longest delay of the event loop of each service, from its metrics, and its longest busy stretch in CPU time: shows which
// process made others wait, and whether it was busy or not scheduled.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

export interface LoopTraces {
  /** Of each service. */
  env: Record<string, string>;
  /** Milliseconds of CPU time by service since the last call. */
  read(): LoopDelays;
  remove(): void;
}

export function createLoopTraces(): LoopTraces {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-loops-'));
  const tracer = new URL('./loop-tracer.mjs', import.meta.url).href;
  return {
    env: { NODE_OPTIONS: `--import=${tracer}`, LOOP_TRACE_FOLDER: folder },
    read: () => Object.fromEntries(LOOPS.map((name) => [name, takeBusyMs(join(folder, name))])),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Returns 0 when there was no stretch that made a timer late. */
function takeBusyMs(file: string): number {
  try {
    const busyMs = Number(readFileSync(file, 'utf8'));
    rmSync(file);
    return busyMs;
  } catch {
    return 0;
  }
}
