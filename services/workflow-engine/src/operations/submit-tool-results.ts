import type { ResponseResource } from '@tollgate/api';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import type { Context } from '../context.js';
import { pendingToolCalls } from '../domain/answer-reader.js';
import type { ToolResult } from '../domain/conversation.js';
import { nodeEvent } from '../domain/run-event.js';
import { resumeNode } from '../domain/run-transitions.js';
import { isSameResults, judgeResults } from '../domain/tool-results.js';
import { type JournalRow, loadJournal, storeToolResults } from '../store/run-steps.js';
import { deleteAlarm } from '../store/run-work.js';
import { changeRun, type RunChange } from './change-run.js';
import { requireRun } from './visible-run.js';

export interface SubmittedResults {
  runId: string;
  nodeId: string;
  step: number;
  requestId: string;
  results: readonly ToolResult[];
}

/**
 * Takes the results of all pending tool calls of one step; the node goes on. The same results once more get the same
 * answer, whatever has become of the run.
 *
 * @throws AppError CONFLICT when they answer another step than the one that waits, or not exactly its calls
 */
export async function submitToolResults(
  ctx: Context,
  principal: Principal,
  submitted: SubmittedResults,
): Promise<{ accepted: number; status: 'running' }> {
  await requireRun(ctx, principal, submitted.runId);
  await changeRun(ctx, submitted.runId, undefined, async (change) => {
    const journal = await loadJournal(change.tx, submitted.runId, submitted.nodeId);
    const entry = journal.find((row) => row.step === submitted.step && row.requestId === submitted.requestId);
    if (!entry) throw conflict('no tool calls of this node, step and request_id are pending');
    if (entry.toolResults === null) return accept(change, entry, submitted);
    const stored = JSON.parse(entry.toolResults) as ToolResult[];
    if (!isSameResults(stored, submitted.results)) throw conflict('other results were sent for this step before');
  });
  return { accepted: submitted.results.length, status: 'running' };
}

async function accept(change: RunChange, entry: JournalRow, submitted: SubmittedResults): Promise<void> {
  const { tx, draft } = change;
  const { runId, nodeId, step, requestId, results } = submitted;
  if (draft.nodes.get(nodeId)?.status !== 'waiting' || entry.llmResponse === null) {
    throw conflict('the node does not wait for tool results');
  }
  const fault = judgeResults(pendingToolCalls(JSON.parse(entry.llmResponse) as ResponseResource), results);
  if (fault) throw conflict(fault);
  await storeToolResults(tx, { runId, nodeId, step, attempt: entry.attempt }, JSON.stringify(results));
  await deleteAlarm(tx, runId, nodeId, 'wait_deadline');
  const events = results.map((result) =>
    nodeEvent('node_tool_result', nodeId, { tool_result: { step, request_id: requestId, ...result } }),
  );
  resumeNode(draft, nodeId, events);
}

function conflict(message: string): AppError {
  return new AppError('CONFLICT', message);
}
