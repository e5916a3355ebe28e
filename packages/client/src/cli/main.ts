// The command `tollgate`.
import { realTiming } from '../core/settings.js';
import { readConfig } from './config.js';
import { runProgram } from './program.js';
import { readSecret } from './read-secret.js';
import type { Shell } from './shell.js';

declare const TOLLGATE_VERSION: string;

const interruption = new AbortController();
process.once('SIGINT', () => interruption.abort());
process.once('SIGTERM', () => interruption.abort());
// A reader such as `head` that has enough closes the pipe.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

const shell: Shell = {
  config: readConfig(),
  print: (line) => process.stdout.write(`${line}\n`),
  inform: (line) => process.stderr.write(`${line}\n`),
  readSecret: (prompt) => readSecret({ input: process.stdin, output: process.stderr }, prompt, interruption.signal),
  fetch: (input, init) => fetch(input, init),
  nowMs: () => Date.now(),
  elapsed: realTiming.elapsed,
  pause: realTiming.pause,
  signal: interruption.signal,
};

process.exitCode = await runProgram(shell, TOLLGATE_VERSION, process.argv.slice(2));
