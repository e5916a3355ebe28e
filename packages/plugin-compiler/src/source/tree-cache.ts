import { AppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import { LRUCache } from 'lru-cache';
import type { SourceTree } from '../tree/source-tree.js';
import { archiveTree } from './archive-tree.js';
import type { Github } from './github.js';
import type { GithubSource } from './github-source.js';

/** Keeps trees for compilations of the same commit with another model or kind. */
const TREES_BYTES_MAX = 32 * 1024 * 1024;
/** An archive and its tree are in memory at the same time. */
const DOWNLOADS_MAX = 2;
const DOWNLOAD_TIMEOUT_MS = 120_000;
const WAITING_MAX = 64;

/** Identifies the content of a source permanently. Owners and repositories are case-insensitive; paths are not. */
export function contentAt({ owner, repo, path }: GithubSource, commit: string): string {
  return `github:${owner.toLowerCase()}/${repo.toLowerCase()}/${path}@${commit}`;
}

/** Fetches trees at commits, each once. */
export interface TreeCache {
  /** Returns undefined when the source does not exist. @throws AppError of GitHub or of the archive */
  treeAt(source: GithubSource, commit: string, call: Call): Promise<SourceTree | undefined>;
}

export function createTreeCache(github: Github): TreeCache {
  const trees = new LRUCache<string, SourceTree>({ maxSize: TREES_BYTES_MAX, sizeCalculation: treeSize });
  const fetching = new Map<string, Promise<SourceTree | undefined>>();
  let waiting = 0;

  /** Continues when its first caller leaves, because others may wait for the tree. */
  async function fetchTree(source: GithubSource, commit: string, call: Call): Promise<SourceTree | undefined> {
    const archive = await github.downloadArchive(source, commit, call.detached(DOWNLOAD_TIMEOUT_MS));
    const tree = archive && (await archiveTree(archive, source.path));
    if (tree) trees.set(contentAt(source, commit), tree);
    return tree;
  }

  async function waitForSlot(call: Call): Promise<void> {
    if (waiting >= WAITING_MAX || call.isAborted || call.remainingMs() <= 0) {
      throw new AppError('SERVICE_UNAVAILABLE', 'too many sources are being fetched');
    }
    waiting += 1;
    await Promise.race([...fetching.values()].map((fetched) => fetched.catch(() => undefined)));
    waiting -= 1;
  }

  return {
    async treeAt(source, commit, call) {
      const content = contentAt(source, commit);
      const known = () => trees.get(content) ?? fetching.get(content);
      while (!known() && fetching.size >= DOWNLOADS_MAX) await waitForSlot(call);
      const found = known();
      if (found) return found;
      const fetched = fetchTree(source, commit, call).finally(() => fetching.delete(content));
      fetching.set(content, fetched);
      return fetched;
    },
  };
}

function treeSize({ files }: SourceTree): number {
  let bytes = 1_024;
  for (const [path, { text }] of files) bytes += 2 * (path.length + text.length);
  return bytes;
}
