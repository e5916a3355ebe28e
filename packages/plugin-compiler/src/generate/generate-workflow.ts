import type { ResponsesBody } from '@tollgate/api/model-requests';
import type { WorkflowKind } from '@tollgate/api/runs';
import { AppError } from '@tollgate/errors';
import type { Plugin } from '../tree/read-plugin.js';
import type { CompileKind } from '../tree/source-tree.js';
import { assembleWorkflow } from './assemble.js';
import { type Draft, readDraft } from './draft.js';
import { draftRequest, type Rejected } from './prompt.js';

/** The most faults that one retry reports to the model. */
const FAULTS_MAX = 20;
/** The length to which a rejected answer is cut when it is shown to the model again. */
const ANSWER_CHARS_MAX = 20_000;

export interface Generation {
  plugin: Plugin;
  kind: CompileKind;
  workflowKind: WorkflowKind;
  /** Undefined: the payer's default model. */
  model: string | undefined;
  maxAttempts: number;
  ask: (request: ResponsesBody) => Promise<string>;
  /** Checks a workflow with the engine's compiler. */
  check: (spec: object) => Promise<SpecVerdict>;
  /** A larger workflow is not checked. */
  specBytesMax: number;
}

export type SpecVerdict = { ok: true } | { ok: false; issues: readonly { path: string; message: string }[] };

/**
 * Lets a model draft the workflow and checks it with the engine's compiler. Returns the compiler's issues to the model,
 * in at most `maxAttempts` calls. Calls no model when only one draft is possible.
 *
 * @throws AppError generation_failed with the last faults, or the error of a call
 */
export async function generateWorkflow(generation: Generation): Promise<Record<string, unknown>> {
  const { plugin, kind, workflowKind, model, maxAttempts, ask } = generation;
  const only = onlyDraft(plugin, kind);
  if (only) return assembleWorkflow({ plugin, kind: workflowKind, model, draft: only });
  const rejected: Rejected[] = [];
  while (rejected.length < maxAttempts) {
    const answer = await ask(draftRequest(plugin, kind, model, rejected));
    const built = await buildWorkflow(answer, generation);
    if (built.ok) return built.workflow;
    rejected.push({ answer: answer.slice(0, ANSWER_CHARS_MAX), faults: built.faults.slice(0, FAULTS_MAX) });
  }
  const faults = rejected.at(-1)?.faults ?? [];
  const calls = maxAttempts === 1 ? '1 attempt' : `${maxAttempts} attempts`;
  throw new AppError('generation_failed', `no valid workflow in ${calls}: ${faults.join('; ')}`);
}

/** Returns the only possible draft, for a skill with one agent and no command. */
function onlyDraft({ agents, commands }: Plugin, kind: CompileKind): Draft | undefined {
  const [agent, ...others] = agents;
  if (kind !== 'skill' || commands.length > 0 || !agent || others.length > 0) return undefined;
  return { steps: [{ id: 'entry', agent: agent.name, task: 'Apply your instructions to the task below.', after: [] }] };
}

type Built = { ok: true; workflow: Record<string, unknown> } | { ok: false; faults: string[] };

async function buildWorkflow(answer: string, generation: Generation): Promise<Built> {
  const { plugin, workflowKind, model, check, specBytesMax } = generation;
  const read = readDraft(answer, plugin);
  if (!read.ok) return read;
  const workflow = assembleWorkflow({ plugin, kind: workflowKind, model, draft: read.draft });
  if (Buffer.byteLength(JSON.stringify(workflow)) > specBytesMax) {
    return { ok: false, faults: [`the workflow is over ${specBytesMax} bytes: use fewer steps`] };
  }
  const verdict = await check(workflow);
  if (verdict.ok) return { ok: true, workflow };
  return { ok: false, faults: verdict.issues.map(({ path, message }) => `${path}: ${message}`) };
}
