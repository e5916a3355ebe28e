import { AppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import { FairSlots, ReadCache } from '@tollgate/runtime';
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
/** A compilation has more time, which the model needs. */
const WAIT_MS = 60_000;

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
  const trees = new ReadCache<SourceTree>({ sizeMax: TREES_BYTES_MAX, sizeOf: treeSize });
  const downloads = new FairSlots({ slots: DOWNLOADS_MAX, waitingMax: WAITING_MAX });
  const refuse = () => new AppError('SERVICE_UNAVAILABLE', 'too many sources are being fetched');

  /** Continues when its first caller leaves, because others may wait for the tree. */
  async function fetchTree(source: GithubSource, commit: string, call: Call): Promise<SourceTree | undefined> {
    const archive = await github.downloadArchive(source, commit, call.detached(DOWNLOAD_TIMEOUT_MS));
    return archive && (await archiveTree(archive, source.path));
  }

  return {
    async treeAt(source, commit, call) {
      const { accountId } = call.requirePrincipal();
      const fetch = () => downloads.run(accountId, () => fetchTree(source, commit, call), { waitMs: WAIT_MS, refuse });
      return trees.get(contentAt(source, commit), fetch);
    },
  };
}

function treeSize({ files }: SourceTree): number {
  let bytes = 1_024;
  for (const [path, { text }] of files) bytes += 2 * (path.length + text.length);
  return bytes;
}
