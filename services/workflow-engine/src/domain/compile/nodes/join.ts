import { joinAnyInput, joinCollectInput } from '@tollgate/api/runs';
import type { JsonObject } from '../../values/json.js';
import type { CompiledNode, CompileScope } from '../compiled-node.js';
import type { Path } from '../issues.js';

/** Compiles `join.all`, which waits for every node that has an edge to it. It has no fields. */
export function compileJoinAll(id: string): CompiledNode {
  return { node: { id, type: 'join.all' }, reads: [] };
}

/**
 * Compiles `join.any`, which continues with the first output. Its predicate applies to its incoming edges: see
 * guards.ts.
 */
export function compileJoinAny(
  id: string,
  spec: JsonObject,
  path: Path,
  scope: CompileScope,
): CompiledNode | undefined {
  const input = scope.issues.parse(joinAnyInput.prefault({}), spec.input, [...path, 'input']);
  return input && { node: { id, type: 'join.any' }, reads: [] };
}

/** Compiles `join.collect`, which continues when all have ended, enough have arrived, or its time limit is reached. */
export function compileJoinCollect(
  id: string,
  spec: JsonObject,
  path: Path,
  scope: CompileScope,
): CompiledNode | undefined {
  const input = scope.issues.parse(joinCollectInput.prefault({}), spec.input, [...path, 'input']);
  if (!input) return undefined;
  const { limit, timeout_ms } = input;
  const bounds = { ...(limit !== undefined && { limit }), ...(timeout_ms !== undefined && { timeout_ms }) };
  return { node: { id, type: 'join.collect', ...bounds }, reads: [] };
}
