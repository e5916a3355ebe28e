import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from '../cli/program.js';
import type { Shell } from '../cli/shell.js';
import { BASE_URL, type FakeGateway, fakeGateway, fakeTiming, json, type Recorded } from './fake-gateway.js';

export interface FakeShell extends Shell {
  out: string[];
  err: string[];
  /** The answer to the next question. */
  secret: string;
  gateway: FakeGateway;
  interrupt(): void;
  /** Runs a command line; returns its exit code. */
  run(...args: string[]): Promise<number>;
}

type Answers = Readonly<Record<string, (request: Recorded) => unknown>>;

/** A shell in an empty folder, before a gateway whose answers are named `GET /path`; a Response is sent as it is. */
export function fakeShell(answers: Answers = {}): FakeShell {
  const gateway = fakeGateway(async (request) => {
    const answer = answers[`${request.method} ${request.url.pathname}`];
    if (!answer) return json({ error: 'api_error', code: 'NOT_FOUND', message: 'not found', retryable: false }, 404);
    const body = await answer(request);
    return body instanceof Response ? body : json(body);
  });
  const interruption = new AbortController();
  const timing = fakeTiming();
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-cli-'));
  const shell: FakeShell = {
    config: {
      url: BASE_URL,
      credential: undefined,
      project: undefined,
      folder: join(folder, 'tollgate'),
      machine: 'm',
    },
    out: [],
    err: [],
    secret: '',
    gateway,
    print: (line) => shell.out.push(line),
    inform: (line) => shell.err.push(line),
    readSecret: async () => shell.secret,
    fetch: gateway.fetch,
    nowMs: timing.nowMs,
    elapsed: timing.elapsed,
    pause: timing.pause,
    signal: interruption.signal,
    interrupt: () => interruption.abort(),
    run: (...args) => runProgram(shell, '0.0.0', args),
  };
  return shell;
}
