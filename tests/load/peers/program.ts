import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** Where peers are installed, once. */
export const PEER_CACHE = join(ROOT, '.cache');

export interface Peer {
  port: number;
  pid: number;
  stop(): Promise<void>;
}

/** Starts a program and waits until it accepts connections. */
export async function startProgram(
  command: string,
  args: readonly string[],
  { port, env = {}, timeoutMs = 30_000 }: { port: number; env?: NodeJS.ProcessEnv; timeoutMs?: number },
): Promise<Peer> {
  const child = spawn(command, args, {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const failed = new Promise<never>((_, reject) => child.once('error', reject));
  failed.catch(() => undefined);
  const deadline = Date.now() + timeoutMs;
  while (!(await Promise.race([answers(port), failed]))) {
    if (child.exitCode !== null) throw new Error(`${command} ${args.join(' ')} ended with ${child.exitCode}`);
    if (Date.now() > deadline) {
      await end(child);
      throw new Error(`${command} ${args.join(' ')} did not listen on ${port}`);
    }
    await sleep(100);
  }
  return { port, pid: child.pid ?? 0, stop: () => end(child) };
}

/** Starts a program of this workspace from its source. */
export function startSource(file: string, args: readonly string[], port: number): Promise<Peer> {
  const command = ['--import', 'tsx', '--conditions=source', `tests/load/${file}`, ...args];
  return startProgram(process.execPath, command, { port });
}

function answers(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/`).then(
    () => true,
    () => false,
  );
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 5_000);
  await ended;
  clearTimeout(timer);
}
