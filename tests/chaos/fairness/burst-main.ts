// A client process that sends one tenant's burst of requests (see burst.ts) and reports the outcome.
import { readFileSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import type { BurstOutcome, BurstSpec } from './burst.js';

const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });
const outcome: BurstOutcome = { sent: 0, statuses: {}, broken: {} };
let isOver = false;

function send(spec: BurstSpec, body: Buffer | undefined): Promise<void> {
  outcome.sent += 1;
  return new Promise((resolve) => {
    const fail = (error: NodeJS.ErrnoException): void => {
      if (!isOver) outcome.broken[error.code ?? error.message] = (outcome.broken[error.code ?? error.message] ?? 0) + 1;
      resolve();
    };
    const headers = { ...spec.headers, ...(body && { 'content-length': String(body.length) }) };
    const req = request(spec.url, { method: spec.method, headers, agent });
    req.on('error', fail);
    req.on('response', (res: IncomingMessage) => {
      const status = String(res.statusCode);
      outcome.statuses[status] = (outcome.statuses[status] ?? 0) + 1;
      res.on('error', fail);
      res.on('end', resolve);
      if (spec.reads) res.resume();
    });
    req.end(body);
  });
}

async function run(spec: BurstSpec): Promise<void> {
  const body = spec.bodyFile === undefined ? undefined : readFileSync(spec.bodyFile);
  const work = async (): Promise<void> => {
    do await send(spec, body);
    while (spec.repeats && !isOver);
  };
  await Promise.all(Array.from({ length: spec.count }, work));
}

process.once('message', (spec: BurstSpec) => {
  const report = (): void => {
    isOver = true;
    process.send?.(outcome, undefined, undefined, () => process.exit(0));
  };
  process.once('message', report);
  void run(spec).then(() => {
    if (!isOver) report();
  });
});
