import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CliError, type Shell } from './shell.js';

export type CredentialKind = 'owner' | 'secret_key' | 'customer';

/** A sign-in, as the file has it. */
export interface SavedSignIn {
  kind: CredentialKind;
  base_url: string;
  token: string;
  /** RFC 3339. */
  expires_at?: string | undefined;
  /** An owner's; each works once. */
  refresh_token?: string | undefined;
  project_id?: string | undefined;
}

type FileShell = Pick<Shell, 'config' | 'nowMs' | 'pause'>;

const LOCK_WAIT_MS = 100;
const LOCK_WAITS_MAX = 150;
/** A command that held the lock for this long was killed. */
const LOCK_AGE_MS_MAX = 60_000;

export async function readSignIn({ config }: Pick<Shell, 'config'>): Promise<SavedSignIn | undefined> {
  let text: string;
  try {
    text = await readFile(toPath(config.folder), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return JSON.parse(text) as SavedSignIn;
  } catch {
    throw new CliError(`${toPath(config.folder)} is not JSON`, { hint: 'Delete it and run `tollgate login`.' });
  }
}

/** Replaces the file as a whole; only its owner may read it. */
export async function writeSignIn({ config }: Pick<Shell, 'config'>, signIn: SavedSignIn): Promise<void> {
  await mkdir(config.folder, { recursive: true, mode: 0o700 });
  const draft = join(config.folder, `.credentials-${randomUUID()}`);
  await writeFile(draft, `${JSON.stringify(signIn, undefined, 2)}\n`, { mode: 0o600, flag: 'wx' });
  await rename(draft, toPath(config.folder));
}

export async function deleteSignIn({ config }: Pick<Shell, 'config'>): Promise<void> {
  await rm(toPath(config.folder), { force: true });
}

/** Runs `change` while no other command does: the second use of a refresh token would end the session. */
export async function withLock<T>(shell: FileShell, change: () => Promise<T>): Promise<T> {
  const lock = join(shell.config.folder, 'credentials.lock');
  await mkdir(shell.config.folder, { recursive: true, mode: 0o700 });
  for (let waits = 0; !(await tryLock(lock)); waits++) {
    if (waits >= LOCK_WAITS_MAX)
      throw new CliError(`another command holds ${lock}`, { hint: 'Delete it if none runs.' });
    const held = await stat(lock).catch(() => undefined);
    if (held && shell.nowMs() - held.mtimeMs > LOCK_AGE_MS_MAX) await rm(lock, { force: true });
    else await shell.pause(LOCK_WAIT_MS);
  }
  try {
    return await change();
  } finally {
    await rm(lock, { force: true });
  }
}

async function tryLock(lock: string): Promise<boolean> {
  try {
    await (await open(lock, 'wx', 0o600)).close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function toPath(folder: string): string {
  return join(folder, 'credentials.json');
}
