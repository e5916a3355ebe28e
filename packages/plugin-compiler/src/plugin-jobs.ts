import type { Call } from '@tollgate/rpc';
import type { Plugin } from './tree/read-plugin.js';
import type { CompileKind, SourceTree } from './tree/source-tree.js';

/** Files by path, as the caller sent them, or a tree of them. */
export type TreeSource = Readonly<Record<string, string>> | SourceTree;

/** The compiler's kinds of jobs for a thread, each with its input and its result. */
export interface PluginJobs {
  /** Returns the digest of everything in a tree that the compiler reads. */
  digest: { input: { files: TreeSource }; result: string };
  /** Reads a tree. Returns undefined when it has no manifest. */
  plugin: { input: { files: TreeSource; kind: CompileKind; fallbackName: string }; result: Plugin | undefined };
}

/** Runs the jobs, in a thread or at once. */
export interface PluginJobRunner {
  /** @throws AppError of the job; SERVICE_UNAVAILABLE when too much waits or the job takes too long */
  run<Kind extends keyof PluginJobs>(
    kind: Kind,
    input: PluginJobs[Kind]['input'],
    call: Call,
  ): Promise<PluginJobs[Kind]['result']>;
}
