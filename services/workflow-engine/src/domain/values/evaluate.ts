import { failed, ok, type Result } from '../failure.js';
import { limits } from '../limits.js';
import type { CaseSwitchNode, JoinNode, PlanOutput, PureNode, Source, Transform } from '../plan/plan.js';
import { toLocalId } from '../plan/plan-tree.js';
import { compares } from '../run/condition.js';
import { isJsonObject, type Json, type JsonObject, setMember } from './json.js';
import { type NodeOutputs, readSource } from './read-source.js';
import { SizeBudget } from './size-budget.js';

/**
 * Returns the output of a node that only transforms its inputs. `arrived`: the upstream nodes whose outputs a join
 * uses, in the order of the spec or, for a join.any, in the order of their ends.
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

/** Returns the run's outputs by name, without those of skipped nodes. */
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
 * Returns an object by node id for a join.all or join.collect, and the first output for a join.any, or null if its
 * first upstream node failed.
 */
function join(node: JoinNode, outputs: NodeOutputs, arrived: readonly string[]): Result<Json> {
  const [first] = arrived;
  if (node.type === 'join.any') {
    return first === undefined ? ok(null) : readSource(outputs, { from: first, pointer: '' });
  }
  const entries = arrived.map((id) => ({ key: toLocalId(id), source: { from: id, pointer: '' } }));
  return collect(entries, outputs, limits.nodeOutputBytes);
}

/**
 * Returns the route of the first case that holds, otherwise the default or null. With null, no edge that tests the
 * route is taken.
 */
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

/** Merges objects shallowly. A later source overrides equal keys. */
function merge(sources: readonly Source[], outputs: NodeOutputs): Result<Json> {
  const result: JsonObject = {};
  const budget = new SizeBudget(limits.nodeOutputBytes);
  for (const source of sources) {
    const value = readSource(outputs, source);
    if (!value.ok) return value;
    if (!budget.takes(value.value)) return tooLarge(limits.nodeOutputBytes);
    if (!isJsonObject(value.value)) {
      return failed('INVALID_INPUT', `merge requires objects; ${source.from} has none at "${source.pointer}"`);
    }
    for (const [key, member] of Object.entries(value.value)) setMember(result, key, member);
  }
  return ok(result);
}

function tooLarge(maxBytes: number): Result<never> {
  return failed('PAYLOAD_TOO_LARGE', `the output is larger than ${maxBytes} bytes`);
}
