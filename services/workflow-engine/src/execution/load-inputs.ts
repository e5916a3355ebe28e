import type { Result } from '../domain/failure.js';
import { limits } from '../domain/limits.js';
import { isFragmentCall, listAncestorIds, toParentId } from '../domain/plan/plan-tree.js';
import { ITEM_REFERENCE, inputsByReference, isNodeReference } from '../domain/plan/references.js';
import type { Json, JsonObject } from '../domain/values/json.js';
import type { NodeOutputs } from '../domain/values/read-source.js';
import { loadItem, loadOutputs } from '../store/artifacts.js';
import type { RunChange } from './run-change.js';

/** Loads everything that a node reads: outputs of upstream nodes, declared inputs, and the item of its fan-out. */
export async function loadInputs(
  change: RunChange,
  nodeId: string,
  references: readonly string[],
): Promise<Result<NodeOutputs>> {
  const { tx, run } = change;
  const outputs = await loadOutputs(tx, run.runId, references.filter(isNodeReference), limits.nodeInputBytes);
  if (!outputs.ok) return outputs;
  const values = new Map([...outputs.value, ...(await loadDeclared(change, nodeId))]);
  if (toParentId(nodeId) !== undefined && references.includes(ITEM_REFERENCE)) {
    values.set(ITEM_REFERENCE, await loadItem(tx, run.runId, nodeId));
  }
  return { ok: true, value: values };
}

/** Loads the declared inputs of the node's graph: those of the run, or of the fragment call that the node is in. */
async function loadDeclared({ tx, run }: RunChange, nodeId: string): Promise<[string, Json][]> {
  const callId = listAncestorIds(nodeId).find(isFragmentCall);
  if (callId !== undefined) return inputsByReference((await loadItem(tx, run.runId, callId)) as JsonObject);
  return run.input === null ? [] : inputsByReference(JSON.parse(run.input) as JsonObject);
}
