import { failed, type Made, made } from './failure.js';
import { isJsonObject, type Json, type JsonObject, setMember } from './json.js';
import { limits } from './limits.js';
import type { JoinNode, PlanOutput, Transform, TransformNode } from './plan.js';
import { type NodeOutputs, readSource } from './read-source.js';
import { SizeBudget } from './size-budget.js';

/** The output of a node that only rearranges what it is given. */
export function evaluateNode(node: JoinNode | TransformNode, outputs: NodeOutputs): Made<Json> {
  return node.type === 'join.all' ? joinAll(node, outputs) : transform(node.transform, outputs);
}

/** The run's outputs by name. */
export function evaluateOutputs(declared: readonly PlanOutput[], outputs: NodeOutputs): Made<JsonObject> {
  return collect(
    declared.map(({ name, from, pointer }) => ({ key: name, source: { from, pointer } })),
    outputs,
    limits.runOutputsBytes,
  );
}

function joinAll(node: JoinNode, outputs: NodeOutputs): Made<Json> {
  return collect(
    node.after.map((id) => ({ key: id, source: { from: id, pointer: '' } })),
    outputs,
    limits.nodeOutputBytes,
  );
}

function transform(rule: Transform, outputs: NodeOutputs): Made<Json> {
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
  entries: readonly { key: string; source: { from: string; pointer: string } }[],
  outputs: NodeOutputs,
  maxBytes: number,
): Made<JsonObject> {
  const result: JsonObject = {};
  const budget = new SizeBudget(maxBytes);
  for (const { key, source } of entries) {
    const value = readSource(outputs, source);
    if (!value.ok) return value;
    if (!budget.takes(value.value)) return tooLarge(maxBytes);
    setMember(result, key, value.value);
  }
  return made(result);
}

/** Shallow; of two equal keys the later source's wins. */
function merge(sources: readonly { from: string; pointer: string }[], outputs: NodeOutputs): Made<Json> {
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
  return made(result);
}

function tooLarge(maxBytes: number): Made<never> {
  return failed('PAYLOAD_TOO_LARGE', `the output is larger than ${maxBytes} bytes`);
}
