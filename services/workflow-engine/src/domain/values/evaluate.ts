import { failed, ok, type Result } from '../failure.js';
import { limits } from '../limits.js';
import type { CaseSwitchNode, JoinNode, PlanOutput, PureNode, Source, Transform } from '../plan/plan.js';
import { localIdOf } from '../plan/plan-tree.js';
import { compares } from '../run/condition.js';
import { isJsonObject, type Json, type JsonObject, setMember } from './json.js';
import { type NodeOutputs, readSource } from './read-source.js';
import { SizeBudget } from './size-budget.js';

/**
 * The output of a node that only rearranges what it is given. `arrived`: the nodes before a join that it goes on with,
 * in the order of the spec, or, for a join.any, in the order in which they ended.
 */
export function evaluateNode(node: PureNode, outputs: NodeOutputs, arrived: readonly string[]): Result<Json> {
  switch (node.type) {
    case 'transform.json':
      return transform(node.transform, outputs);
    case 'route.switch':
      return route(node, outputs);
    default:
      return join(node, outputs, arrived);
  }
}

/** The run's outputs by name; those of nodes that were skipped are left out. */
export function evaluateOutputs(declared: readonly PlanOutput[], outputs: NodeOutputs): Result<JsonObject> {
  return collect(
    declared
      .filter(({ from }) => outputs.has(from))
      .map(({ name, from, pointer }) => ({ key: name, source: { from, pointer } })),
    outputs,
    limits.runOutputsBytes,
  );
}

/**
 * A join of all, or of those that came, is an object by node id; a join of any is what the first of them said, null when
 * that one came by its failure.
 */
function join(node: JoinNode, outputs: NodeOutputs, arrived: readonly string[]): Result<Json> {
  const [first] = arrived;
  if (node.type === 'join.any') {
    return first === undefined ? ok(null) : readSource(outputs, { from: first, pointer: '' });
  }
  const entries = arrived.map((id) => ({ key: localIdOf(id), source: { from: id, pointer: '' } }));
  return collect(entries, outputs, limits.nodeOutputBytes);
}

/** The route of the first case that holds; without one the default, else null: then no edge that asks for one is taken. */
function route(node: CaseSwitchNode, outputs: NodeOutputs): Result<Json> {
  const value = readSource(outputs, node.source);
  if (!value.ok) return value;
  const found = node.cases.find((candidate) => compares(candidate, value.value));
  return ok({ route: found?.route ?? node.default ?? null, value: value.value });
}

function transform(rule: Transform, outputs: NodeOutputs): Result<Json> {
  switch (rule.form) {
    case 'pick':
      return readSource(outputs, rule.source);
    case 'object':
      return collect(rule.entries, outputs, limits.nodeOutputBytes);
    case 'merge':
      return merge(rule.sources, outputs);
  }
}

function collect(
  entries: readonly { key: string; source: Source }[],
  outputs: NodeOutputs,
  maxBytes: number,
): Result<JsonObject> {
  const result: JsonObject = {};
  const budget = new SizeBudget(maxBytes);
  for (const { key, source } of entries) {
    const value = readSource(outputs, source);
    if (!value.ok) return value;
    if (!budget.takes(value.value)) return tooLarge(maxBytes);
    setMember(result, key, value.value);
  }
  return ok(result);
}

/** Shallow; of two equal keys the later source's wins. */
function merge(sources: readonly Source[], outputs: NodeOutputs): Result<Json> {
  const result: JsonObject = {};
  const budget = new SizeBudget(limits.nodeOutputBytes);
  for (const source of sources) {
    const value = readSource(outputs, source);
    if (!value.ok) return value;
    if (!budget.takes(value.value)) return tooLarge(limits.nodeOutputBytes);
    if (!isJsonObject(value.value)) {
      return failed('INVALID_INPUT', `merge takes objects; ${source.from} has none at "${source.pointer}"`);
    }
    for (const [key, member] of Object.entries(value.value)) setMember(result, key, member);
  }
  return ok(result);
}

function tooLarge(maxBytes: number): Result<never> {
  return failed('PAYLOAD_TOO_LARGE', `the output is larger than ${maxBytes} bytes`);
}
