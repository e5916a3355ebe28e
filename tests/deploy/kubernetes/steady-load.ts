// Requests at a constant rate, independent of earlier answers; every second one is a stream.
import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiClient, type Json, responsesBody } from '@tollgate/testkit';

/** Slow enough that several requests are in flight whenever a pod ends. */
const TEXT = 'write 6 words, wait 300 ms, slow 40 ms';
const TICK_MS = 10;
const FAILURES_KEPT = 10;

export interface SteadyLoad {
  /** Stops sending, waits for the answers and returns the outcomes. */
  stop(): Promise<LoadReport>;
}

export interface LoadReport {
  sent: number;
  answered: number;
  failed: number;
  /** Reasons of the first failures, with their time in seconds since the start. */
  failures: string[];
  /** Longest time in which no request was answered, in seconds. */
  longestGapS: number;
}

export function startSteadyLoad(client: ApiClient, requestsPerSecond: number): SteadyLoad {
  const startedAt = Date.now();
  const report: LoadReport = { sent: 0, answered: 0, failed: 0, failures: [], longestGapS: 0 };
  const waiting = new Set<Promise<void>>();
  let isStopping = false;
  let lastAnswerAt = startedAt;

  const sendOne = async (n: number): Promise<void> => {
    const sentAt = ((Date.now() - startedAt) / 1000).toFixed(1);
    const problem = await ask(client, n % 2 === 1).catch((error: Error) => `${error.name} ${error.message}`);
    if (problem !== undefined) {
      report.failed += 1;
      if (report.failures.length < FAILURES_KEPT) report.failures.push(`${sentAt} s: ${problem}`);
      return;
    }
    report.answered += 1;
    report.longestGapS = Math.max(report.longestGapS, (Date.now() - lastAnswerAt) / 1000);
    lastAnswerAt = Date.now();
  };
  const sending = (async () => {
    while (!isStopping) {
      const due = Math.floor(((Date.now() - startedAt) / 1000) * requestsPerSecond);
      while (report.sent < due) {
        const request = sendOne(report.sent++).finally(() => waiting.delete(request));
        waiting.add(request);
      }
      await sleep(TICK_MS);
    }
  })();
  return {
    async stop() {
      isStopping = true;
      await sending;
      await Promise.all(waiting);
      return report;
    },
  };
}

/** Sends one request; returns why it failed. */
async function ask(client: ApiClient, isStream: boolean): Promise<string | undefined> {
  if (!isStream) {
    const { status, text } = await client.post('/responses', responsesBody(TEXT));
    return status === 200 ? undefined : `HTTP ${status} ${text.slice(0, 200)}`;
  }
  const stream = await client.ndjson('/responses', responsesBody(TEXT));
  const events: Json[] = await stream.all();
  const last = events.at(-1);
  return last?.type === 'completion'
    ? undefined
    : `HTTP ${stream.status}, stream ended with ${JSON.stringify(last)?.slice(0, 200)}`;
}
