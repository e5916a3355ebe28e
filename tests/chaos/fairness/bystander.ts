// Another tenant's small requests: how long they take and whether any of them fails.
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import type { ApiClient } from '@tollgate/testkit';
import { upstreamRequest } from '../harness.js';
import type { LoopDelays } from './loop-delays.js';

export interface Bystander {
  api: ApiClient;
  /** The provider, without the service before it: what is slow here too is not slow because of the service. */
  provider: ApiClient;
}

export interface Observation {
  /** Milliseconds of turns, of reads and of calls of the provider, each sorted. */
  turns: number[];
  reads: number[];
  providerCalls: number[];
  failures: Failure[];
  /** Longest delay of the observer's own event loop, in milliseconds. */
  ownDelayMs: number;
}

export interface Failure {
  atMs: number;
  what: string;
}

const REQUESTS_AT_ONCE = 2;
const PAUSE_MS = 25;
const SAMPLE_MS = 10;
/** Answered by the ledger and by the engine. */
const READS = ['/customers/me/usage', '/runs?limit=1'];

/** Sends small requests, turns and reads in alternation and calls of the provider beside them, until `until` resolves. */
export async function observe(bystander: Bystander, until: Promise<unknown>): Promise<Observation> {
  const observation: Observation = { turns: [], reads: [], providerCalls: [], failures: [], ownDelayMs: 0 };
  const observedFrom = performance.now();
  const fail = (what: string): void => {
    observation.failures.push({ atMs: Math.round(performance.now() - observedFrom), what });
  };
  let isOver = false;
  const over = until.finally(() => {
    isOver = true;
  });
  const send = async (ask: () => ReturnType<typeof turn>, latencies: number[]): Promise<void> => {
    const startedAt = performance.now();
    try {
      const { status, text } = await ask();
      if (status !== 200) fail(`${status}: ${text.slice(0, 120)}`);
    } catch (error) {
      fail(String(error));
    }
    latencies.push(performance.now() - startedAt);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  };
  const useService = async (): Promise<void> => {
    for (let i = 0; !isOver; i++) {
      await send(() => turn(bystander), observation.turns);
      if (!isOver) await send(() => bystander.api.get(READS[i % READS.length] as string), observation.reads);
    }
  };
  const useProvider = async (): Promise<void> => {
    while (!isOver) await send(() => callProvider(bystander), observation.providerCalls);
  };
  const delay = monitorEventLoopDelay({ resolution: SAMPLE_MS });
  delay.enable();
  await Promise.all([over, useProvider(), ...Array.from({ length: REQUESTS_AT_ONCE }, useService)]);
  delay.disable();
  for (const each of [observation.turns, observation.reads, observation.providerCalls]) each.sort((a, b) => a - b);
  return { ...observation, ownDelayMs: longestDelayMs(delay) };
}

function turn({ api }: Bystander) {
  return api.post('/responses', upstreamRequest('say 3 tokens'));
}

function callProvider({ provider }: Bystander) {
  return provider.post('/responses', { model: 'control', input: 'say 3 tokens' });
}

/** A sample is the time between two timers. */
function longestDelayMs({ max }: IntervalHistogram): number {
  return Math.max(0, max / 1e6 - SAMPLE_MS);
}

const SHARES = [0.5, 0.99, 1];
const NAME_WIDTH = 66;
const COLUMN_WIDTH = 7;

const GROUPS = ['turns p50, p99, max', 'reads p50, p99, max', 'provider p50, p99, max'];

/** Head of a table in milliseconds. `loops` names the services whose event loops are in it. */
export function reportHead(loops: readonly string[]): string {
  const groups = GROUPS.map((group) => group.padStart(SHARES.length * COLUMN_WIDTH + 2)).join('');
  const busy = `busiest stretch of a loop in CPU time: ${loops.join(', ')}`;
  const delays = `longest delay: ${[...loops, 'observer'].join(', ')}`;
  return `${'while another tenant sends (all in ms)'.padEnd(NAME_WIDTH)}${groups}  failed  ${busy}; ${delays}  its answers`;
}

export function reportLine(
  name: string,
  seen: Observation,
  { busy, delays }: { busy: LoopDelays; delays: LoopDelays },
  note = '',
): string {
  const groups = [seen.turns, seen.reads, seen.providerCalls].map(
    (latencies) => `  ${SHARES.map((share) => percentile(latencies, share)).join('')}`,
  );
  const busyMs = Object.values(busy).map(column).join('');
  const delayMs = [...Object.values(delays), seen.ownDelayMs].map(column).join('');
  return `${name.padEnd(NAME_WIDTH)}${groups.join('')}${String(seen.failures.length).padStart(8)}${busyMs};${delayMs}  ${note}`;
}

function percentile(latencies: readonly number[], share: number): string {
  return column(latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))]);
}

function column(value: number | undefined): string {
  return (value === undefined || Number.isNaN(value) ? '–' : value.toFixed(0)).padStart(COLUMN_WIDTH);
}
