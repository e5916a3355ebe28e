import { completeRun, failRun } from '../domain/run/run-transitions.js';
import { finalText } from '../domain/step/final-text.js';
import { evaluateOutputs } from '../domain/values/evaluate.js';
import { type JsonObject, writeJson } from '../domain/values/json.js';
import { loadLastAnswer } from '../store/steps/run-steps.js';
import { readOutputs } from './load-inputs.js';
import type { OpenRun, RunChange } from './run-change.js';

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
