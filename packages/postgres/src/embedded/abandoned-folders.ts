import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '@tollgate/runtime';
import { isAlive } from './running-server.js';

/** Younger folders may belong to a process of another container that shares the parent folder. */
const AGE_MS_MIN = 3_600_000;

/** Returns the name of a folder that {@link removeAbandonedFolders} finds when this process is killed. */
export function ownFolderName(prefix: string): string {
  return `${prefix}${process.pid}`;
}

/** Removes the folders in `parent` whose process was killed, an hour ago or earlier, before it could remove them itself. */
export function removeAbandonedFolders(parent: string, prefix: string): void {
  for (const name of readdirSync(parent)) {
    const pid = name.startsWith(prefix) ? /^\d+(?=-|$)/.exec(name.slice(prefix.length))?.[0] : undefined;
    if (pid === undefined || isAlive(Number(pid))) continue;
    const folder = join(parent, name);
    const changedAt = statSync(folder, { throwIfNoEntry: false })?.mtimeMs;
    if (changedAt === undefined || systemClock.nowMs() - changedAt < AGE_MS_MIN) continue;
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // It belongs to another account.
    }
  }
}
