// One tenant's burst of requests, sent from its own process so that its client does not slow the other clients.
import { fork } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface BurstSpec {
  url: string;
  method: string;
  headers: Record<string, string>;
  bodyFile?: string;
  /** Concurrent requests. */
  count: number;
  /** Sends the next request when one has ended, until the burst is stopped. */
  repeats: boolean;
  /** False: answers are left unread. */
  reads: boolean;
}

export interface BurstOutcome {
  sent: number;
  /** Answers by status. */
  statuses: Record<string, number>;
  /** Requests without an answer, by error. */
  broken: Record<string, number>;
}

export interface BurstInput {
  method?: string;
  /** Credential and further headers. */
  headers?: Record<string, string>;
  body?: string | Buffer | object;
  count: number;
  repeats?: boolean;
  reads?: boolean;
}

export interface Burst {
  /** Resolves when every request has ended. */
  ended: Promise<void>;
  /** Aborts the running requests. */
  stop(): Promise<BurstOutcome>;
}

const MAIN = new URL('./burst-main.ts', import.meta.url);
let bodies = 0;

export function startBurst(url: string, input: BurstInput): Burst {
  const { method = 'POST', headers = {}, body, count, repeats = false, reads = true } = input;
  const bodyFile = body === undefined ? undefined : writeBody(body);
  const child = fork(MAIN, { execArgv: ['--import', 'tsx'] });
  const answer = new Promise<BurstOutcome>((resolve, reject) => {
    let outcome: BurstOutcome | undefined;
    child.once('message', (message) => {
      outcome = message as BurstOutcome;
    });
    child.once('exit', (code) => {
      if (outcome) resolve(outcome);
      else reject(new Error(`the client process ended with ${code}`));
    });
  });
  const contentType: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
  child.send({
    url,
    method,
    headers: { ...contentType, ...headers },
    count,
    repeats,
    reads,
    ...(bodyFile !== undefined && { bodyFile }),
  } satisfies BurstSpec);
  const outcome = answer.finally(() => bodyFile !== undefined && rmSync(bodyFile, { force: true }));
  return {
    ended: outcome.then(() => undefined),
    stop: async () => {
      if (child.connected) child.send('stop', () => undefined);
      return outcome;
    },
  };
}

function writeBody(body: string | Buffer | object): string {
  const file = join(tmpdir(), `tollgate-burst-${process.pid}-${bodies++}.json`);
  writeFileSync(file, typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body));
  return file;
}
