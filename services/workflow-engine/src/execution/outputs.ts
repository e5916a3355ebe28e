import type { ResponseResource } from '@tollgate/api/model-requests';
import { ok, type Result, type RunFailure } from '../domain/failure.js';
import { limits } from '../domain/limits.js';
import { isFragmentCall, listAncestorIds, toParentId } from '../domain/plan/plan-tree.js';
import { ITEM_REFERENCE, inputsByReference, isNodeReference } from '../domain/plan/references.js';
import type { EventDraft } from '../domain/run/run-event.js';
import { completeRun, failNode, failRun, succeedNode } from '../domain/run/run-transitions.js';
import { readAnswerText } from '../domain/step/answer-reader.js';
import { evaluateOutputs } from '../domain/values/evaluate.js';
import { isJsonObject, type Json, type JsonObject, parseJson, writeJson } from '../domain/values/json.js';
import type { NodeOutputs } from '../domain/values/read-source.js';
import { type Artifact, loadItem, loadOutputs, outputArtifact } from '../store/artifacts.js';
import { loadLastAnswer } from '../store/steps/run-steps.js';
import type { OpenRun, RunChange } from './run-change.js';

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
async function readOutputs({ db, run, stored }: OpenRun, nodeIds: readonly string[]): Promise<Result<NodeOutputs>> {
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

interface FinishOptions {
  /** Appended before the events of the node's end. */
  events?: readonly EventDraft[];
  /** The output as JSON, where the caller has encoded it already. */
  json?: string;
}

/** Ends a node with its output, or fails it. */
export async function finishNode(
  open: OpenRun,
  nodeId: string,
  output: Result<Json>,
  { events = [], json }: FinishOptions = {},
): Promise<void> {
  const { draft, artifacts, outputs } = open;
  const artifact = output.ok ? outputArtifact(nodeId, json ?? writeJson(output.value), draft.keptBytes) : output;
  if (!output.ok || !artifact.ok) {
    failNode(draft, nodeId, (artifact as { failure: RunFailure }).failure, events);
    return;
  }
  artifacts.push(artifact.value);
  outputs.set(nodeId, output.value);
  succeedNode(draft, nodeId, { output: output.value, artifact: artifact.value }, events);
}

/** Completes a run whose nodes have all ended with its declared outputs, which it returns, or fails it. */
export async function finishRun(open: OpenRun): Promise<JsonObject | undefined> {
  const { draft, outputs: fresh } = open;
  const declared = draft.plan.outputs.filter(({ from }) => draft.nodes.get(from)?.status === 'succeeded');
  const stored = declared.map((output) => output.from).filter((id) => !fresh.has(id));
  const loaded = await readOutputs(open, stored);
  if (!loaded.ok) {
    failRun(draft, loaded.failure);
    return undefined;
  }
  const outputs = evaluateOutputs(declared, new Map([...loaded.value, ...fresh]));
  if (!outputs.ok) {
    failRun(draft, outputs.failure);
    return undefined;
  }
  completeRun(draft, writeJson(outputs.value));
  return outputs.value;
}

/** Sets the message that a completed run appends to its session. */
export async function addSessionMessage(change: RunChange, outputs: JsonObject): Promise<void> {
  const { tx, run } = change;
  if (run.sessionId === null) return;
  const content = finalText(outputs, await loadLastAnswer(tx, run.runId));
  if (content !== '') change.sessionMessage = { runId: run.runId, sessionId: run.sessionId, content };
}

/**
 * Returns the assistant's message that a run appends to its session: the run's output if it has exactly one, otherwise
 * the last answer of a model. Empty when there is none.
 */
export function finalText(outputs: JsonObject, lastAnswer: ResponseResource | undefined): string {
  const [only, ...others] = Object.values(outputs);
  if (only === undefined || only === null || others.length > 0) return lastAnswer ? readAnswerText(lastAnswer) : '';
  if (typeof only === 'string') return only;
  return isAnswer(only) ? readAnswerText(only) : writeJson(only);
}

function isAnswer(value: Json): value is Json & ResponseResource {
  return isJsonObject(value) && Array.isArray(value.output) && typeof value.stop_reason === 'string';
}
