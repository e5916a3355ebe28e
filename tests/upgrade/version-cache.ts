// Built trees of earlier versions, shared by all runs of a user.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';

/** Trees that no run has used for this long are deleted. */
const KEEP_MS = 14 * 24 * 60 * 60 * 1_000;

export interface TreeKey {
  /** Full hash. */
  commit: string;
  /** As of `process.version`: installed packages may hold programs that fit one version of Node only. */
  nodeVersion: string;
}

/** Returns the folder of the tree of this commit for this version of Node. Builds it if it does not exist. */
export function findOrBuildTree(
  cache: string,
  { commit, nodeVersion }: TreeKey,
  build: (draft: string) => void,
): string {
  const root = join(cache, `${commit}-node-${nodeVersion}`);
  mkdirSync(cache, { recursive: true });
  if (!existsSync(root)) {
    deleteUnused(cache);
    // Another run may build the same tree: the first one to finish wins.
    const draft = `${root}.draft-${process.pid}`;
    try {
      build(draft);
      rename(draft, root);
    } finally {
      rmSync(draft, { recursive: true, force: true });
    }
  }
  const now = new Date();
  utimesSync(root, now, now); // the time of its last use
  return root;
}

function rename(draft: string, root: string): void {
  try {
    renameSync(draft, root);
  } catch (error) {
    if (!existsSync(root)) throw error;
  }
}

function deleteUnused(cache: string): void {
  for (const name of readdirSync(cache)) {
    const folder = join(cache, name);
    const usedAt = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0; // another run may have deleted it
    if (isLeftDraft(name) || Date.now() - usedAt > KEEP_MS) rmSync(folder, { recursive: true, force: true });
  }
}

/** A draft whose run was killed. */
function isLeftDraft(name: string): boolean {
  const pid = /\.draft-(\d+)$/.exec(name)?.[1];
  if (pid === undefined) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
