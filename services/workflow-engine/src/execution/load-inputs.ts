import { ok, type Result } from '../domain/failure.js';
import { limits } from '../domain/limits.js';
import { isFragmentCall, listAncestorIds, toParentId } from '../domain/plan/plan-tree.js';
import { ITEM_REFERENCE, inputsByReference, isNodeReference } from '../domain/plan/references.js';
import { type Json, type JsonObject, parseJson } from '../domain/values/json.js';
import type { NodeOutputs } from '../domain/values/read-source.js';
import { type Artifact, loadItem, loadOutputs } from '../store/artifacts.js';
import type { OpenRun } from './run-change.js';

/** Loads everything that a node reads: outputs of upstream nodes, declared inputs, and the item of its fan-out. */
export async function loadInputs(
  open: OpenRun,
  nodeId: string,
  references: readonly string[],
): Promise<Result<NodeOutputs>> {
  const outputs = await readOutputs(open, references.filter(isNodeReference));
  if (!outputs.ok) return outputs;
  const values = new Map([...outputs.value, ...(await loadDeclared(open, nodeId))]);
  if (toParentId(nodeId) !== undefined && references.includes(ITEM_REFERENCE)) {
    values.set(ITEM_REFERENCE, await loadItem(open.db, open.run.runId, nodeId));
  }
  return { ok: true, value: values };
}

/** Returns the stored outputs of succeeded nodes, without a query if this process knows them all. */
export async function readOutputs(
  { db, run, stored }: OpenRun,
  nodeIds: readonly string[],
): Promise<Result<NodeOutputs>> {
  const known = [...new Set(nodeIds)].map((id) => stored.get(id));
  const bytes = known.reduce((sum, artifact) => sum + (artifact?.bytes ?? Number.POSITIVE_INFINITY), 0);
  if (bytes > limits.nodeInputBytes) return loadOutputs(db, run.runId, nodeIds, limits.nodeInputBytes);
  // Parsed for each reader, so that none can change the value of another.
  return ok(new Map((known as Artifact[]).map(({ nodeId, body }) => [nodeId, parseJson(body)])));
}

/** Loads the declared inputs of the node's graph: those of the run, or of the fragment call that the node is in. */
async function loadDeclared({ db, run }: OpenRun, nodeId: string): Promise<[string, Json][]> {
  const callId = listAncestorIds(nodeId).find(isFragmentCall);
  if (callId !== undefined) return inputsByReference((await loadItem(db, run.runId, callId)) as JsonObject);
  return run.input === null ? [] : inputsByReference(parseJson(run.input) as JsonObject);
}
