import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/** Creates the folder of the local data. @throws Error that names the folder, the reason and the remedy */
export function prepareHome(home: string): void {
  try {
    makeFolder(home);
    accessSync(home, constants.W_OK);
  } catch (error) {
    const { code = 'failed' } = error as NodeJS.ErrnoException;
    throw new Error(
      `Cannot write to ${home} (${code}). Set TOLLGATE_HOME to a folder that can be written; it holds all local data.`,
    );
  }
}

/** Creates missing parents one by one: the recursive form hides the reason, and never returns for a path below /proc. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path);
}
