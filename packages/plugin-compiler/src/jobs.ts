// The door for a thread: reading large trees takes long, and loads the parsers.
import { treeDigest } from './compile-key.js';
import type { PluginJobs, TreeSource } from './plugin-jobs.js';
import { filesTree } from './source/files-tree.js';
import { readPlugin } from './tree/read-plugin.js';
import type { SourceTree } from './tree/source-tree.js';

export type { PluginJobs } from './plugin-jobs.js';

/** The jobs of a compiler. Each interleaves with others where it awaits. @throws AppError as the contract lists them */
export const pluginJobs: {
  [Kind in keyof PluginJobs]: (input: PluginJobs[Kind]['input']) => Promise<PluginJobs[Kind]['result']>;
} = {
  digest: async ({ files }) => treeDigest(toTree(files)),
  plugin: ({ files, kind, fallbackName }) => readPlugin(toTree(files), kind, fallbackName),
};

function toTree(files: TreeSource): SourceTree {
  return files.files instanceof Map ? (files as SourceTree) : filesTree(files as Readonly<Record<string, string>>);
}
