import type { Result, RunFailure } from '../domain/failure.js';
import type { EventDraft } from '../domain/run/run-event.js';
import { failNode, succeedNode } from '../domain/run/run-transitions.js';
import { type Json, writeJson } from '../domain/values/json.js';
import { outputArtifact } from '../store/artifacts.js';
import type { OpenRun } from './run-change.js';

export interface FinishOptions {
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
