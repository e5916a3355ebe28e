import { edgeCondition, joinAnyInput, joinCollectInput } from '@tollgate/api';
import type { Guard } from '../../plan/plan.js';
import { type Condition, patternOf } from '../../run/condition.js';
import { isJsonObject, type Json, type JsonObject } from '../../values/json.js';
import type { CompileScope } from '../compiled-node.js';
import type { Issues, Path } from '../issues.js';
import { pathToPointer } from './sources.js';

/** An edge whose both ends are known; null = taken when the node it leaves succeeds. */
export interface Edge {
  from: string;
  to: string;
  when: Condition | null;
}

/** Compiles `when` of an edge. Undefined after its faults were added. */
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
    patternOf(value);
  } catch (error) {
    issues.add('INVALID_VALUE', path, `no RE2 pattern: ${(error as Error).message}`);
  }
}

/** What has to hold of each node before this one; undefined when all of them simply have to succeed. */
export function guardsOf(
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

/** A join's predicate asks the same of every edge that leads to it. */
export function predicateOf(spec: JsonObject, path: Path, scope: CompileScope): Condition | undefined {
  if (!isJsonObject(spec.input) || spec.input.predicate === undefined) return undefined;
  const schema = spec.type === 'join.any' ? joinAnyInput : joinCollectInput;
  // A faulty input has been reported by the node's own compiler.
  if (!schema.safeParse(spec.input).success) return undefined;
  return compileCondition(spec.input.predicate, [...path, 'input', 'predicate'], scope);
}
