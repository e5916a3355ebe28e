import type { ResponsesBody } from '@tollgate/api';
import { AppError } from '@tollgate/errors';
import { compileSpec } from '../../domain/compile/compile.js';
import { limits } from '../../domain/limits.js';
import type { Plugin } from '../tree/read-plugin.js';
import type { CompileKind } from '../tree/source-tree.js';
import { assembleWorkflow } from './assemble.js';
import { type Draft, readDraft } from './draft.js';
import { draftRequest, type Rejected } from './prompt.js';

/** Of one answer: enough to mend it by. */
const FAULTS_MAX = 20;
/** Of an answer that could not be used, as it is shown to the model once more. */
const ANSWER_CHARS_MAX = 20_000;

export interface Generation {
  plugin: Plugin;
  kind: CompileKind;
  /** Undefined = the default of whoever pays. */
  model: string | undefined;
  maxAttempts: number;
  ask: (request: ResponsesBody) => Promise<string>;
}

/**
 * Has a model draft the workflow, and lets the engine's own compiler judge it; what the compiler has against it goes
 * back to the model, `maxAttempts` calls at most. Where there is one possible draft, no model is asked.
 *
 * @throws AppError generation_failed with the last faults, and whatever a call throws
 */
export async function generateWorkflow(generation: Generation): Promise<Record<string, unknown>> {
  const { plugin, kind, model, maxAttempts, ask } = generation;
  const only = onlyDraft(plugin, kind);
  if (only) return assembleWorkflow(plugin, kind, model, only);
  const rejected: Rejected[] = [];
  while (rejected.length < maxAttempts) {
    const answer = await ask(draftRequest(plugin, kind, model, rejected));
    const made = workflowOf(answer, generation);
    if (made.ok) return made.workflow;
    rejected.push({ answer: answer.slice(0, ANSWER_CHARS_MAX), faults: made.faults.slice(0, FAULTS_MAX) });
  }
  const faults = rejected.at(-1)?.faults ?? [];
  const calls = maxAttempts === 1 ? '1 attempt' : `${maxAttempts} attempts`;
  throw new AppError('generation_failed', `no valid workflow in ${calls}: ${faults.join('; ')}`);
}

/** A skill of one agent and no command leaves a model nothing to decide. */
function onlyDraft({ agents, commands }: Plugin, kind: CompileKind): Draft | undefined {
  const [agent, ...others] = agents;
  if (kind !== 'skill' || commands.length > 0 || !agent || others.length > 0) return undefined;
  return { steps: [{ id: 'entry', agent: agent.name, task: 'Apply your instructions to the task below.', after: [] }] };
}

type Result = { ok: true; workflow: Record<string, unknown> } | { ok: false; faults: string[] };

function workflowOf(answer: string, { plugin, kind, model }: Generation): Result {
  const read = readDraft(answer, plugin);
  if (!read.ok) return read;
  const workflow = assembleWorkflow(plugin, kind, model, read.draft);
  if (Buffer.byteLength(JSON.stringify(workflow)) > limits.specBytes) {
    return { ok: false, faults: [`the workflow is over ${limits.specBytes} bytes: use fewer steps`] };
  }
  const compiled = compileSpec(workflow);
  if (compiled.ok) return { ok: true, workflow };
  return { ok: false, faults: compiled.issues.map(({ path, message }) => `${path}: ${message}`) };
}
