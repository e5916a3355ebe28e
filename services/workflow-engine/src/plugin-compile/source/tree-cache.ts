import { AppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import { LRUCache } from 'lru-cache';
import type { SourceTree } from '../tree/source-tree.js';
import { archiveTree } from './archive-tree.js';
import type { Github } from './github.js';
import type { GithubSource } from './github-source.js';

/** Trees of other models' or kinds' compilations of one commit. */
const TREES_BYTES_MAX = 32 * 1024 * 1024;
/** An archive and its tree are in memory at the same time. */
const DOWNLOADS_MAX = 2;
const DOWNLOAD_TIMEOUT_MS = 120_000;
const WAITING_MAX = 64;

/** Names the content of a source for ever. Owners and repositories are the same in any case; paths are not. */
export function placeAt({ owner, repo, path }: GithubSource, commit: string): string {
  return `github:${owner.toLowerCase()}/${repo.toLowerCase()}/${path}@${commit}`;
}

/** Trees at commits, each fetched once. */
export interface TreeCache {
  /** Undefined = nothing is there. @throws AppError as GitHub and its archives make them */
  treeAt(source: GithubSource, commit: string, call: Call): Promise<SourceTree | undefined>;
}

export function createTreeCache(github: Github): TreeCache {
  const trees = new LRUCache<string, SourceTree>({ maxSize: TREES_BYTES_MAX, sizeCalculation: sizeOf });
  const fetching = new Map<string, Promise<SourceTree | undefined>>();
  let waiting = 0;

  /** Goes on when the one who asked first is gone: others may wait for it. */
  async function fetchTree(source: GithubSource, commit: string, call: Call): Promise<SourceTree | undefined> {
    const archive = await github.downloadArchive(source, commit, call.detached(DOWNLOAD_TIMEOUT_MS));
    const tree = archive && (await archiveTree(archive, source.path));
    if (tree) trees.set(placeAt(source, commit), tree);
    return tree;
  }

  async function onePlaceLess(call: Call): Promise<void> {
    if (waiting >= WAITING_MAX || call.isAborted || call.remainingMs() <= 0) {
      throw new AppError('SERVICE_UNAVAILABLE', 'too many sources are being fetched');
    }
    waiting += 1;
    await Promise.race([...fetching.values()].map((fetched) => fetched.catch(() => undefined)));
    waiting -= 1;
  }

  return {
    async treeAt(source, commit, call) {
      const place = placeAt(source, commit);
      const known = () => trees.get(place) ?? fetching.get(place);
      while (!known() && fetching.size >= DOWNLOADS_MAX) await onePlaceLess(call);
      const found = known();
      if (found) return found;
      const fetched = fetchTree(source, commit, call).finally(() => fetching.delete(place));
      fetching.set(place, fetched);
      return fetched;
    },
  };
}

function sizeOf({ files }: SourceTree): number {
  let bytes = 1_024;
  for (const [path, { text }] of files) bytes += 2 * (path.length + text.length);
  return bytes;
}
