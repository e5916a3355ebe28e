import { limits } from '../domain/limits.js';
import { completeRun, failRun } from '../domain/run/run-transitions.js';
import { finalText } from '../domain/step/final-text.js';
import { evaluateOutputs } from '../domain/values/evaluate.js';
import type { JsonObject } from '../domain/values/json.js';
import { loadOutputs } from '../store/artifacts.js';
import { loadLastAnswer } from '../store/run-steps.js';
import type { RunChange } from './run-change.js';

/** Completes a run whose nodes have all ended with its declared outputs, or fails it. */
export async function finishRun(change: RunChange): Promise<void> {
  const { tx, draft, outputs: fresh } = change;
  const declared = draft.plan.outputs.filter(({ from }) => draft.nodes.get(from)?.status === 'succeeded');
  const stored = declared.map((output) => output.from).filter((id) => !fresh.has(id));
  const loaded = await loadOutputs(tx, draft.runId, stored, limits.nodeInputBytes);
  if (!loaded.ok) return failRun(draft, loaded.failure);
  const outputs = evaluateOutputs(declared, new Map([...loaded.value, ...fresh]));
  if (!outputs.ok) return failRun(draft, outputs.failure);
  completeRun(draft, JSON.stringify(outputs.value));
  await addSessionMessage(change, outputs.value);
}

async function addSessionMessage(change: RunChange, outputs: JsonObject): Promise<void> {
  const { tx, run } = change;
  if (run.sessionId === null) return;
  const content = finalText(outputs, await loadLastAnswer(tx, run.runId));
  if (content !== '') change.sessionMessage = { runId: run.runId, sessionId: run.sessionId, content };
}
