import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { removeEmbeddedPostgres } from '@tollgate/postgres';

export const SECRETS_FILE = 'secrets.json';
export const POSTGRES_FOLDER = 'postgres';

/** Deletes the local data. @throws Error, and deletes nothing, when the folder holds no data of Tollgate */
export function deleteLocalData(home: string): void {
  if (!existsSync(home)) return;
  const dataDir = join(home, POSTGRES_FOLDER);
  const isTollgateHome = existsSync(join(home, SECRETS_FILE)) || existsSync(dataDir);
  if (!isTollgateHome) throw new Error(`${home} holds no data of Tollgate; nothing was deleted`);
  removeEmbeddedPostgres(dataDir);
  rmSync(home, { recursive: true });
}
