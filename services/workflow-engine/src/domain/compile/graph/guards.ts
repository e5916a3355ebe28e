import { edgeCondition, joinAnyInput, joinCollectInput } from '@tollgate/api/runs';
import type { Guard } from '../../plan/plan.js';
import { type Condition, compilePattern } from '../../run/condition.js';
import { isJsonObject, type Json, type JsonObject } from '../../values/json.js';
import { safeParse } from '../../values/safe-parse.js';
import type { CompileScope } from '../compiled-node.js';
import type { Issues, Path } from '../issues.js';
import { pathToPointer } from './sources.js';

/** An edge between existing nodes. Without a condition it is taken when its source node succeeds. */
export interface Edge {
  from: string;
  to: string;
  when: Condition | null;
}

/** Compiles `when` of an edge. Returns undefined after it has added the issues. */
export function compileCondition(value: unknown, path: Path, { issues }: CompileScope): Condition | undefined {
  const parsed = issues.parse(edgeCondition, value, path);
  if (!parsed) return undefined;
  checkPattern(parsed.op, parsed.value, [...path, 'value'], issues);
  const { source, op } = parsed;
  const operand = parsed.value === undefined ? {} : { value: parsed.value as Json };
  return { source, op, pointer: pathToPointer(parsed.path), ...operand };
}

export function checkPattern(op: string, value: unknown, path: Path, issues: Issues): void {
  if (op !== 'matches' || typeof value !== 'string') return;
  try {
    compilePattern(value);
  } catch (error) {
    issues.add('INVALID_VALUE', path, `is not an RE2 pattern: ${(error as Error).message}`);
  }
}

/** Returns the guards of a node's dependencies; undefined when all of them only need to succeed. */
export function compileGuards(
  nodeId: string,
  after: readonly string[],
  edges: readonly Edge[],
  reads: ReadonlySet<string>,
): Guard[] | undefined {
  const leading = edges.filter((edge) => edge.to === nodeId);
  if (leading.every((edge) => edge.when === null)) return undefined;
  return after.map((from) => ({
    from,
    reads: reads.has(from),
    edges: leading.filter((edge) => edge.from === from).map((edge) => edge.when),
  }));
}

/** Compiles a join's predicate, which is the condition of every edge that leads to it. */
export function compilePredicate(spec: JsonObject, path: Path, scope: CompileScope): Condition | undefined {
  if (!isJsonObject(spec.input) || spec.input.predicate === undefined) return undefined;
  const schema = spec.type === 'join.any' ? joinAnyInput : joinCollectInput;
  // The node's own compiler has reported an invalid input.
  if (!safeParse(schema, spec.input).success) return undefined;
  return compileCondition(spec.input.predicate, [...path, 'input', 'predicate'], scope);
}
