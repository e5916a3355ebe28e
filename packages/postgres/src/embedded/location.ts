import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { canEnter, type ServerAccount } from './account.js';

/**
 * Returns the actual location of a data directory. Usually the requested one; a separate folder under /var/tmp when the
 * server runs as another account (this process is root) that cannot enter it. The folder is named by a hash of the
 * requested path, so the next start finds the data.
 */
export function locateData(wanted: string, account: ServerAccount): string {
  const directory = resolve(wanted);
  mkdirSync(dirname(directory), { recursive: true });
  if (canEnter(account, dirname(directory))) return directory;
  return join(traversableFolder(`data-${shortHash(directory)}`, account), 'data');
}

/** Returns a folder that `account` can enter and only this process can write to. */
export function traversableFolder(name: string, account: ServerAccount): string {
  for (const base of new Set(['/var/tmp', tmpdir()])) {
    if (!existsSync(base) || !canEnter(account, base)) continue;
    const folder = join(base, `tollgate-postgres-${name}`);
    mkdirSync(folder, { recursive: true, mode: 0o755 });
    assertOurs(folder);
    return folder;
  }
  throw new Error('No folder was found that the PostgreSQL server may enter (tried /var/tmp and the temporary folder)');
}

/** Removes the data directory, relocated or not. The server must be stopped. */
export function removeData(wanted: string, account: ServerAccount): void {
  const directory = resolve(wanted);
  const actual = existsSync(dirname(directory)) ? locateData(directory, account) : directory;
  rmSync(actual, { recursive: true, force: true });
  if (actual !== directory) rmSync(dirname(actual), { recursive: true, force: true });
}

/** Names under /var/tmp can be guessed: never run or write anything in a folder of another account. */
function assertOurs(folder: string): void {
  const stat = lstatSync(folder);
  if (!stat.isDirectory() || stat.uid !== process.getuid?.() || (stat.mode & 0o022) !== 0) {
    throw new Error(`${folder} exists and belongs to another account; remove it first`);
  }
}

export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
