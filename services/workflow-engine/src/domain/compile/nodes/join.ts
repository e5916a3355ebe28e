import { joinAnyInput, joinCollectInput } from '@tollgate/api';
import type { JsonObject } from '../../values/json.js';
import type { CompiledNode, CompileScope } from '../compiled-node.js';
import type { Path } from '../issues.js';

/** `join.all` waits for every node that an edge leads from; its input says nothing. */
export function compileJoinAll(id: string): CompiledNode {
  return { node: { id, type: 'join.all' }, reads: [] };
}

/** `join.any` goes on with the first. Its predicate belongs to the edges that lead to it: see guards.ts. */
export function compileJoinAny(
  id: string,
  spec: JsonObject,
  path: Path,
  scope: CompileScope,
): CompiledNode | undefined {
  const input = scope.issues.parse(joinAnyInput.prefault({}), spec.input, [...path, 'input']);
  return input && { node: { id, type: 'join.any' }, reads: [] };
}

/** `join.collect` goes on with those that came, once all have ended, enough have come, or time is up. */
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
