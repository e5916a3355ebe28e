// Another tenant's small requests: how long they take and whether any of them fails.
import type { ApiClient } from '@tollgate/testkit';
import { upstreamRequest } from '../harness.js';

export interface Observation {
  /** Milliseconds of turns and of reads, each sorted. */
  turns: number[];
  reads: number[];
  failures: Failure[];
}

export interface Failure {
  atMs: number;
  what: string;
}

const REQUESTS_AT_ONCE = 2;
const PAUSE_MS = 25;

/** Sends small requests, alternating between a turn and a read, until `until` resolves. */
export async function observe(bystander: ApiClient, until: Promise<unknown>): Promise<Observation> {
  const observation: Observation = { turns: [], reads: [], failures: [] };
  const observedFrom = performance.now();
  const fail = (what: string): void => {
    observation.failures.push({ atMs: Math.round(performance.now() - observedFrom), what });
  };
  let isOver = false;
  const over = until.finally(() => {
    isOver = true;
  });
  const work = async (): Promise<void> => {
    for (let i = 0; !isOver; i++) {
      const startedAt = performance.now();
      try {
        const { status, text } = await ask(bystander, i);
        if (status !== 200) fail(`${status}: ${text.slice(0, 120)}`);
      } catch (error) {
        fail(String(error));
      }
      (i % 2 === 0 ? observation.turns : observation.reads).push(performance.now() - startedAt);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  };
  await Promise.all([over, ...Array.from({ length: REQUESTS_AT_ONCE }, work)]);
  for (const latencies of [observation.turns, observation.reads]) latencies.sort((a, b) => a - b);
  return observation;
}

function ask(bystander: ApiClient, i: number) {
  if (i % 2 === 0) return bystander.post('/responses', upstreamRequest('say 3 tokens'));
  return bystander.get('/customers/me/usage');
}

const SHARES = [0.5, 0.99, 1];
const NAME_WIDTH = 58;

export const REPORT_HEAD = `${'while another tenant sends'.padEnd(NAME_WIDTH)}  turns p50  p99  max (ms)   reads p50  p99  max (ms)   failed   its answers`;

export function reportLine(name: string, { turns, reads, failures }: Observation, note = ''): string {
  const columns = [turns, reads].map((latencies) => SHARES.map((share) => percentile(latencies, share)).join(''));
  return `${name.padEnd(NAME_WIDTH)}${columns.join('   ')} ${String(failures.length).padStart(9)}   ${note}`;
}

function percentile(latencies: readonly number[], share: number): string {
  const value = latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))];
  return (value === undefined ? '–' : value.toFixed(0)).padStart(8);
}
