import type { Made, RunFailure } from '../domain/failure.js';
import { limits } from '../domain/limits.js';
import { type EventDraft, NODE_OUTPUT_KEY } from '../domain/run/run-event.js';
import { completeRun, failNode, failRun, succeedNode } from '../domain/run/run-transitions.js';
import { finalText } from '../domain/step/final-text.js';
import { evaluateOutputs } from '../domain/values/evaluate.js';
import type { Json, JsonObject } from '../domain/values/json.js';
import { loadOutputs, outputArtifact } from '../store/artifacts.js';
import { loadLastAnswer } from '../store/run-steps.js';
import type { RunChange } from './change-run.js';

/** Ends a node with its output, or fails it. `events` tell what led to it. */
export async function finishNode(
  change: RunChange,
  nodeId: string,
  output: Made<Json>,
  events: readonly EventDraft[] = [],
): Promise<void> {
  const artifact = output.ok ? outputArtifact(nodeId, output.value, change.draft.keptBytes) : output;
  if (!output.ok || !artifact.ok) {
    failNode(change.draft, nodeId, (artifact as { failure: RunFailure }).failure, events);
    return;
  }
  change.artifacts.push(artifact.value);
  succeedNode(change.draft, nodeId, { output: output.value, artifact: artifact.value }, events);
}

/** Gathers the run's outputs. What this very transition has made is not in the database yet. */
export async function finishRun(change: RunChange): Promise<void> {
  const { tx, draft, artifacts } = change;
  const declared = draft.plan.outputs.filter(({ from }) => draft.nodes.get(from)?.status === 'succeeded');
  const fresh = artifacts.filter(({ key }) => key === NODE_OUTPUT_KEY);
  const freshIds = new Set(fresh.map(({ nodeId }) => nodeId));
  const stored = declared.map((output) => output.from).filter((id) => !freshIds.has(id));
  const loaded = await loadOutputs(tx, draft.runId, stored, limits.nodeInputBytes);
  if (!loaded.ok) return failRun(draft, loaded.failure);
  const made = fresh.map(({ nodeId, body }): [string, Json] => [nodeId, JSON.parse(body) as Json]);
  const outputs = evaluateOutputs(declared, new Map([...loaded.value, ...made]));
  if (!outputs.ok) return failRun(draft, outputs.failure);
  completeRun(draft, JSON.stringify(outputs.value));
  await tellSession(change, outputs.value);
}

async function tellSession(change: RunChange, outputs: JsonObject): Promise<void> {
  const { tx, run } = change;
  if (run.sessionId === null) return;
  const content = finalText(outputs, await loadLastAnswer(tx, run.runId));
  if (content !== '') change.sessionMessage = { runId: run.runId, sessionId: run.sessionId, content };
}
