import type { CompiledNode } from './compiled-node.js';

/** `join.all` waits for every node that an edge leads from; its input says nothing. */
export function compileJoinAll(id: string): CompiledNode {
  return { node: { id, type: 'join.all' }, reads: [] };
}
