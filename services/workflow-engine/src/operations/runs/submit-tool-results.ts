import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import type { ModelNode } from '../../domain/plan/plan.js';
import { requireNode } from '../../domain/plan/plan-tree.js';
import { toolResult } from '../../domain/run/run-event.js';
import { resumeNode } from '../../domain/run/run-transitions.js';
import {
  isSameResults,
  judgeResults,
  misnamedResult,
  openCalls,
  type ToolResult,
} from '../../domain/tools/tool-calls.js';
import { changeRun } from '../../execution/change-run.js';
import { readCalls, resultsSoFar } from '../../execution/model-steps/journal-rows.js';
import type { RunChange } from '../../execution/run-change.js';
import type { TransitionContext } from '../../execution/work-context.js';
import { deleteAlarm } from '../../store/queues/run-work.js';
import { loadClientResults, loadJournal, storeClientResults } from '../../store/steps/run-steps.js';
import { loadServerResults } from '../../store/steps/tool-results.js';
import { requireRun } from './read-runs.js';

export interface SubmittedResults {
  runId: string;
  nodeId: string;
  step: number;
  holdId: string;
  results: readonly ToolResult[];
}

/**
 * Accepts the results of all pending tool calls of one step and resumes the node. Repeating the same results returns
 * the same answer in any later state of the run.
 *
 * @throws AppError CONFLICT when the step is not pending or the results do not match its calls exactly;
 * VALIDATION_ERROR when a result has another tool name than its call
 */
export async function submitToolResults(
  ctx: TransitionContext,
  principal: Principal,
  submitted: SubmittedResults,
): Promise<{ accepted: number; status: 'running' }> {
  await requireRun(ctx, principal, submitted.runId);
  await changeRun(ctx, submitted.runId, undefined, async (change) => {
    const earlier = await loadClientResults(change.tx, submitted);
    if (earlier === null) return accept(change, submitted);
    const stored = JSON.parse(earlier) as ToolResult[];
    if (!isSameResults(stored, submitted.results)) throw conflict('other results were submitted for this step before');
  });
  return { accepted: submitted.results.length, status: 'running' };
}

async function accept(change: RunChange, submitted: SubmittedResults): Promise<void> {
  const { tx, draft } = change;
  const { runId, nodeId, step, holdId, results } = submitted;
  if (draft.nodes.get(nodeId)?.status !== 'waiting') throw conflict('the node is not waiting for tool results');
  const journal = await loadJournal(tx, runId, nodeId);
  const entry = journal.rows.at(-1);
  if (entry?.step !== step || entry.holdId !== holdId) {
    throw conflict('no tool calls of this step and request_id are pending');
  }
  const answered = resultsSoFar(entry, await loadServerResults(tx, runId, nodeId, journal));
  const { client } = openCalls(readCalls(entry), answered, requireNode(draft.plan, nodeId) as ModelNode);
  const fault = judgeResults(client, results);
  if (fault) throw conflict(fault);
  const misnamed = misnamedResult(client, results);
  if (misnamed) throw misnamedError(misnamed);
  await storeClientResults(tx, { runId, nodeId, step, attempt: entry.attempt }, JSON.stringify(results));
  await deleteAlarm(tx, runId, nodeId, 'wait_deadline');
  resumeNode(
    draft,
    nodeId,
    results.map((result) => toolResult(nodeId, { step, request_id: holdId, ...result })),
  );
}

function misnamedError({ position, expected }: { position: number; expected: string }): AppError {
  const field = { field: `results[${position}].name`, message: `must be ${expected}, the name of the tool call` };
  return new AppError('VALIDATION_ERROR', `${field.field} ${field.message}`, { fields: [field] });
}

function conflict(message: string): AppError {
  return new AppError('CONFLICT', message);
}
