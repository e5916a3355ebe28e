import { createHash } from 'node:crypto';
import type { WorkflowKind } from '@tollgate/api/runs';
import type { CompileKind, SourceTree } from './tree/source-tree.js';

/** Increment it when the same files would give another result: for changes of readers, prompt or workflow shape. */
const VERSION = 5;

export interface KeyParts {
  projectId: string;
  kind: CompileKind;
  workflowKind: WorkflowKind;
  /** Identifies the content: a path at a commit, or the digest of the files. */
  content: string;
  /** Empty: the payer's default model. */
  model: string;
}

/** Returns the key under which a result is stored. Projects do not share results, because each pays for its own. */
export function compileKey({ projectId, kind, workflowKind, content, model }: KeyParts): string {
  return sha256([VERSION, projectId, kind, workflowKind, content, model]);
}

/** Returns the digest of everything in a tree that the compiler reads. */
export function treeDigest({ files, supporting }: SourceTree): string {
  return sha256([[...files].map(([path, { text }]) => [path, text]), supporting]);
}

function sha256(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}
