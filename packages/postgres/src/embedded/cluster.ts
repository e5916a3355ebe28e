import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { ownFolderName, removeAbandonedFolders } from './abandoned-folders.js';
import { canEnter, type ServerAccount } from './account.js';
import type { PostgresBinaries } from './binaries.js';

export const superuser = 'tollgate';
const passwordFile = 'tollgate-password';
const SECRETS_PREFIX = 'tollgate-initdb-';

/**
 * Creates the cluster in `directory` if there is none and returns its superuser's password. Builds it in another folder and
 * moves it into place, so an interrupted start leaves no incomplete cluster.
 */
export function ensureCluster(
  directory: string,
  binaries: PostgresBinaries,
  account: ServerAccount,
  options: { durable: boolean },
): { password: string; created: boolean } {
  if (existsSync(join(directory, 'PG_VERSION'))) {
    checkVersion(directory, binaries);
    return { password: readFileSync(join(directory, passwordFile), 'utf8').trim(), created: false };
  }
  if (existsSync(directory) && readdirSync(directory).length > 0) {
    throw new Error(`${directory} is not empty and holds no PostgreSQL data; choose another folder`);
  }
  const password = randomBytes(18).toString('hex');
  const drafts = `${basename(directory)}.draft-`;
  removeAbandonedFolders(dirname(directory), drafts);
  const draft = join(dirname(directory), ownFolderName(drafts));
  rmSync(draft, { recursive: true, force: true });
  makeFolder(draft, account);
  try {
    initialize(draft, password, { binaries, account, durable: options.durable });
    writeOwned(join(draft, passwordFile), `${password}\n`, account);
    if (existsSync(directory)) rmdirSync(directory);
    renameSync(draft, directory);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return { password, created: true };
}

function initialize(
  draft: string,
  password: string,
  { binaries, account, durable }: { binaries: PostgresBinaries; account: ServerAccount; durable: boolean },
): void {
  const secrets = secretFolder(account, dirname(draft));
  try {
    const pwfile = join(secrets, 'password');
    writeOwned(pwfile, password, account);
    const args = ['-D', draft, '-U', superuser, '-A', 'scram-sha-256', `--pwfile=${pwfile}`, '--encoding=UTF8'];
    args.push('--no-locale', '--no-instructions', ...(durable ? [] : ['--no-sync']));
    const result = spawnSync(binaries.initdb, args, { ...account, cwd: '/', encoding: 'utf8' });
    if (result.status !== 0) {
      throw new Error(
        `initdb failed: ${(result.error?.message ?? result.stderr ?? '').trim() || `code ${result.status}`}`,
      );
    }
  } finally {
    rmSync(secrets, { recursive: true, force: true });
  }
}

function checkVersion(directory: string, binaries: PostgresBinaries): void {
  const version = readFileSync(join(directory, 'PG_VERSION'), 'utf8').trim();
  if (version !== binaries.major) {
    throw new Error(
      `The data in ${directory} was made by PostgreSQL ${version}, but the programs found are version ` +
        `${binaries.major}. Provide version ${version}, or remove the data to start over.`,
    );
  }
}

/** `initdb` reads the password from a file, as the server's account, before the data directory exists. */
function secretFolder(account: ServerAccount, beside: string): string {
  const base = canEnter(account, tmpdir()) ? tmpdir() : beside;
  removeAbandonedFolders(base, SECRETS_PREFIX);
  const folder = mkdtempSync(join(base, `${ownFolderName(SECRETS_PREFIX)}-`));
  if ('uid' in account) chownSync(folder, account.uid!, account.gid!);
  return folder;
}

function makeFolder(path: string, account: ServerAccount): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  if ('uid' in account) chownSync(path, account.uid!, account.gid!);
}

function writeOwned(path: string, content: string, account: ServerAccount): void {
  writeFileSync(path, content, { mode: 0o600 });
  if ('uid' in account) chownSync(path, account.uid!, account.gid!);
}
