import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { elapsed } from '@tollgate/runtime';

const ownerFile = 'tollgate-owner';

/**
 * Ensures that no other server uses the data directory. Throws at once for a server whose owner is alive, waits for a server
 * whose owner was killed (it is shutting down), and removes a lock file without a running server.
 */
export async function awaitFreeDirectory(directory: string, timeoutMs = 15_000): Promise<void> {
  const deadline = elapsed() + timeoutMs;
  for (;;) {
    const pid = serverPid(directory);
    if (pid === undefined) return;
    const owner = readPid(join(directory, ownerFile));
    if ((owner !== undefined && isAlive(owner)) || elapsed() > deadline) {
      throw new Error(
        `The PostgreSQL data in ${directory} is in use by server process ${pid}` +
          `${owner !== undefined && isAlive(owner) ? `, started by process ${owner}` : ''}. Stop that one first.`,
      );
    }
    await sleep(100);
  }
}

/** Records which process the server belongs to. */
export function recordOwner(directory: string): void {
  writeFileSync(join(directory, ownerFile), `${process.pid}\n`);
}

/** Returns the running server of this directory, if any; removes a stale lock file. */
export function serverPid(directory: string): number | undefined {
  const lock = join(directory, 'postmaster.pid');
  if (!existsSync(lock)) return undefined;
  const pid = readPid(lock);
  if (pid !== undefined && isAlive(pid) && isPostgres(pid)) return pid;
  rmSync(lock, { force: true });
  return undefined;
}

function readPid(file: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(file, 'utf8'), 10);
    return Number.isInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a process with this id runs. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Checks the program too: after a reboot, the process id in a lock file may belong to another program. */
function isPostgres(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'postgres';
  } catch {
    const result = spawnSync('ps', ['-o', 'comm=', '-p', String(pid)], { encoding: 'utf8' });
    return result.status === 0 && basename(result.stdout.trim()) === 'postgres';
  }
}
