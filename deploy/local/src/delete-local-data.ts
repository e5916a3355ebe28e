import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { removeEmbeddedPostgres } from '@tollgate/postgres';

export const SECRETS_FILE = 'secrets.json';
export const POSTGRES_FOLDER = 'postgres';

/** `--reset`. @throws Error when the folder is there and not ours, before anything is deleted */
export function deleteLocalData(home: string): void {
  if (!existsSync(home)) return;
  const dataDir = join(home, POSTGRES_FOLDER);
  const isOurs = existsSync(join(home, SECRETS_FILE)) || existsSync(dataDir);
  if (!isOurs) throw new Error(`${home} holds no data of Tollgate; nothing was deleted`);
  removeEmbeddedPostgres(dataDir);
  rmSync(home, { recursive: true });
}
