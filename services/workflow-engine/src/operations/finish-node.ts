import { evaluateOutputs } from '../domain/evaluate.js';
import type { Made, RunFailure } from '../domain/failure.js';
import type { Json } from '../domain/json.js';
import { limits } from '../domain/limits.js';
import type { EventDraft } from '../domain/run-event.js';
import { completeRun, failNode, failRun, isComplete, succeedNode } from '../domain/run-transitions.js';
import { loadOutputs, outputArtifact } from '../store/artifacts.js';
import type { RunChange } from './change-run.js';

/** Ends a node with its output, or fails it; the last one's end is the run's end. `events` tell what led to it. */
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
  succeedNode(change.draft, nodeId, artifact.value, events);
  if (isComplete(change.draft)) await finishRun(change, nodeId, output.value);
}

/** Gathers the run's outputs. The last node's own output is not in the database yet. */
async function finishRun({ tx, draft }: RunChange, lastNodeId: string, lastOutput: Json): Promise<void> {
  const declared = draft.plan.outputs;
  const stored = declared.map((output) => output.from).filter((id) => id !== lastNodeId);
  const loaded = await loadOutputs(tx, draft.runId, stored, limits.nodeInputBytes);
  if (!loaded.ok) return failRun(draft, loaded.failure);
  const outputs = evaluateOutputs(declared, new Map([...loaded.value, [lastNodeId, lastOutput]]));
  if (outputs.ok) completeRun(draft, JSON.stringify(outputs.value));
  else failRun(draft, outputs.failure);
}
