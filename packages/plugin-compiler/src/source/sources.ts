import { AppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import { parseFailed } from '../parse-failed.js';
import type { PluginJobRunner, TreeSource } from '../plugin-jobs.js';
import type { CompileKind } from '../tree/source-tree.js';
import type { Github } from './github.js';
import { isCommitId, parseGithubSource } from './github-source.js';
import { contentAt, createTreeCache } from './tree-cache.js';

/** A source to compile. Its files are fetched only when no result is stored. */
export interface Source {
  /** Identifies the content permanently. */
  content: string;
  sourceRef: string;
  fallbackName: string;
  /** Returns undefined when the source does not exist. */
  files: () => Promise<TreeSource | undefined>;
  /** The error for a source without a manifest. */
  noManifest: () => AppError;
}

export interface Sources {
  /** Resolves a ref of a repository to a commit. @throws AppError invalid_source; plugin_not_found, skill_not_found */
  fromGithub(text: string, kind: CompileKind, call: Call): Promise<Source>;
  fromFiles(files: Record<string, string>, kind: CompileKind, call: Call): Promise<Source>;
}

export function createSources(github: Github, jobs: PluginJobRunner): Sources {
  const trees = createTreeCache(github);
  return {
    async fromGithub(text: string, kind: CompileKind, call: Call): Promise<Source> {
      const source = parseGithubSource(text);
      if (!source) throw new AppError('invalid_source', 'source must be github:<owner>/<repo>[/<path>][@<ref>]');
      const commit = isCommitId(source.ref) ? source.ref : await github.resolveCommit(source, call);
      if (commit === undefined) throw notFound(kind);
      return {
        content: contentAt(source, commit),
        sourceRef: commit,
        fallbackName: source.path.split('/').at(-1) || source.repo,
        files: () => trees.treeAt(source, commit, call),
        noManifest: () => notFound(kind),
      };
    },

    async fromFiles(files: Record<string, string>, kind: CompileKind, call: Call): Promise<Source> {
      return {
        content: `files:${await jobs.run('digest', { files }, call)}`,
        sourceRef: 'inline',
        fallbackName: kind,
        files: async () => files,
        noManifest: () =>
          parseFailed('there is no manifest: .claude-plugin/plugin.json, plugin.json, PLUGIN.md or SKILL.md'),
      };
    },
  };
}

function notFound(kind: CompileKind): AppError {
  return new AppError(`${kind}_not_found`, `there is no ${kind} at this source`);
}
