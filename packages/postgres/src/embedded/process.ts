import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { ServerAccount } from './account.js';

/** A running `postgres` that ends with this process, even when the process is killed. */
export interface ServerProcess {
  /** Resolves with the exit code when the server has ended. */
  exited: Promise<number | null>;
  /** Fast shutdown: open transactions are rolled back, data is written. Immediate after `deadlineMs`. */
  stop(deadlineMs: number): Promise<void>;
}

/**
 * Runs the server under a small shell that waits for the end of a pipe: when this process is killed, the pipe closes and the
 * server shuts down. A separate process group keeps Ctrl-C in the terminal from reaching the server before the services
 * have drained.
 */
const guard = `
  exec 3<&0
  "$@" </dev/null 3<&- &
  server=$!
  ( read -r _ <&3; kill -INT "$server" 2>/dev/null ) &
  watcher=$!
  exec 3<&-
  wait "$server"
  code=$?
  kill "$watcher" 2>/dev/null
  exit "$code"`;

/** As the server logs it; a standby accepts read-only connections. */
const READY = /ready to accept (read-only )?connections/;

/** Starts the server; rejects with its last log lines when it ends before it accepts connections. */
export async function startProcess(command: string, args: string[], account: ServerAccount): Promise<ServerProcess> {
  const child = spawn('/bin/sh', ['-c', guard, 'postgres-guard', command, ...args], {
    ...account,
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  child.stdin.on('error', () => undefined);
  const exited = new Promise<number | null>((resolve) => {
    child.once('exit', (code) => resolve(code));
    child.once('error', () => resolve(null));
  });
  await untilReady(child, exited);
  return { exited, stop: (deadlineMs) => stopProcess(child, exited, deadlineMs) };
}

async function untilReady(child: ChildProcess, exited: Promise<number | null>): Promise<void> {
  const lastLines: string[] = [];
  const ready = new Promise<true>((resolve) => {
    createInterface({ input: child.stderr! }).on('line', (line) => {
      if (READY.test(line)) resolve(true);
      lastLines.push(line);
      if (lastLines.length > 20) lastLines.shift();
    });
  });
  if ((await Promise.race([ready, exited])) === true) {
    child.unref();
    for (const pipe of [child.stderr, child.stdin]) if (pipe instanceof Socket) pipe.unref();
    return;
  }
  throw new Error(`PostgreSQL did not start:\n${lastLines.join('\n')}`);
}

async function stopProcess(child: ChildProcess, exited: Promise<number | null>, deadlineMs: number): Promise<void> {
  child.ref();
  child.stdin?.end();
  const timer = setTimeout(() => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGQUIT');
  }, deadlineMs);
  await exited;
  clearTimeout(timer);
  child.stderr?.destroy();
}
