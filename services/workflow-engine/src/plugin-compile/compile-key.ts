import { createHash } from 'node:crypto';
import type { CompileKind, SourceTree } from './tree/source-tree.js';

/** Changes whenever the same files would give another answer: readers, prompt, or the shape of the workflow. */
const VERSION = 2;

export interface KeyParts {
  projectId: string;
  kind: CompileKind;
  /** Names the content: a place at a commit, or the digest of the files. */
  content: string;
  /** Empty = the default of whoever pays. */
  model: string;
}

/** What results are kept under. Projects do not share them: each has paid for its own. */
export function compileKey({ projectId, kind, content, model }: KeyParts): string {
  return sha256([VERSION, projectId, kind, content, model]);
}

/** The digest of everything in a tree that the compiler reads. */
export function treeDigest({ files }: SourceTree): string {
  return sha256([...files].map(([path, { text }]) => [path, text]));
}

function sha256(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}
