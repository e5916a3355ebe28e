// A tenant with small requests of its own: how long they take and whether any of them fails.
import type { ApiClient } from '@tollgate/testkit';
import { upstreamRequest } from '../site.js';

export interface Observation {
  /** Milliseconds, sorted. */
  latencies: number[];
  failures: Failure[];
}

export interface Failure {
  atMs: number;
  what: string;
}

const REQUESTS_AT_ONCE = 2;
const PAUSE_MS = 25;

/** Small requests, a turn and a read in turns, until `until` resolves. */
export async function observe(bystander: ApiClient, until: Promise<unknown>): Promise<Observation> {
  const observation: Observation = { latencies: [], failures: [] };
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
      observation.latencies.push(performance.now() - startedAt);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  };
  await Promise.all([over, ...Array.from({ length: REQUESTS_AT_ONCE }, work)]);
  observation.latencies.sort((a, b) => a - b);
  return observation;
}

function ask(bystander: ApiClient, i: number) {
  if (i % 2 === 0) return bystander.post('/responses', upstreamRequest('say 3 tokens'));
  return bystander.get('/customers/me/usage');
}

export function percentile({ latencies }: Observation, share: number): number {
  return latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? Number.NaN;
}

export function reportLine(name: string, observation: Observation, note = ''): string {
  const { latencies, failures } = observation;
  const columns = [0.5, 0.99, 1].map((share) => `${percentile(observation, share).toFixed(0)} ms`.padStart(9));
  return `${name.padEnd(56)} ${columns.join(' ')} ${String(latencies.length).padStart(6)} ${String(failures.length).padStart(6)}  ${note}`;
}
