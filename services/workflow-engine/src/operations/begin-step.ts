import { fromBinary } from '@bufbuild/protobuf';
import type { ResponseResource, ResponsesBody } from '@tollgate/api';
import { PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import type { Context } from '../context.js';
import { bindRequest } from '../domain/bind-request.js';
import { continueConversation, type Round, type ToolResult } from '../domain/conversation.js';
import { failed, type Made, type RunFailure } from '../domain/failure.js';
import { stepRequestId } from '../domain/ids.js';
import { limits } from '../domain/limits.js';
import { isStreamable, type ModelStep, NODE_TIMEOUT_MESSAGE, type StepRef } from '../domain/model-step.js';
import { type NextAttempt, nextAttempt } from '../domain/next-attempt.js';
import type { LlmNode } from '../domain/plan.js';
import { resetDelta } from '../domain/run-event.js';
import { failNode, startNode, tell } from '../domain/run-transitions.js';
import { loadOutputs } from '../store/artifacts.js';
import { endStep, insertIntent, type JournalRow, loadJournal } from '../store/run-steps.js';
import type { WorkItem } from '../store/work-item.js';
import { changeRun, type RunChange } from './change-run.js';

/** Takes the node up where its journal left it. Undefined when there is nothing more to do for the caller. */
export async function beginStep(ctx: Context, item: WorkItem, node: LlmNode): Promise<ModelStep | undefined> {
  const changed = await changeRun(ctx, item.runId, { ...item, ends: false }, async (change) => {
    const begun = await begin(change, node);
    if (begun.ok) return begun.value;
    failNode(change.draft, node.id, begun.failure);
    return undefined;
  });
  return changed.outcome === 'done' ? changed.value : undefined;
}

async function begin(change: RunChange, node: LlmNode): Promise<Made<ModelStep>> {
  const { tx, run, draft } = change;
  const { deadlineAt } = startNode(draft, node.id);
  const remainingMs = (deadlineAt ?? draft.now).getTime() - draft.now.getTime();
  if (remainingMs <= 0) return failed('RELAY_TIMEOUT', NODE_TIMEOUT_MESSAGE);
  const journal = await loadJournal(tx, run.runId, node.id);
  const next = nextAttempt(journal);
  const request = await requestOf(change, node, journal);
  const refused = next.kind === 'exhausted' ? exhausted() : loopLimit(node, next.step);
  await closeEarlierAttempts(change, node, next);
  if (refused) return { ok: false, failure: refused };
  if (!request.ok) return request;
  const ref: StepRef = { runId: run.runId, nodeId: node.id, step: next.step, attempt: next.attempt };
  const requestId = stepRequestId(run.runId, node.id, next.step, next.attempt);
  if (next.kind === 'start') await insertIntent(tx, { ...ref, requestId, at: draft.now });
  return {
    ok: true,
    value: {
      ref,
      requestId,
      supersedes: next.kind === 'exhausted' ? undefined : next.supersedes,
      staleRequestId: next.kind === 'start' ? next.stale?.requestId : undefined,
      request: request.value,
      isStream: node.stream && isStreamable(request.value),
      principal: fromBinary(PrincipalSchema, run.principal),
      remainingMs,
    },
  };
}

/** What was sent and never heard of again is lost; what was never sent and is too old is dropped. */
async function closeEarlierAttempts({ tx, run, draft }: RunChange, node: LlmNode, next: NextAttempt): Promise<void> {
  const base = { runId: run.runId, nodeId: node.id };
  if (next.kind === 'reuse') return;
  if (next.lost) await endStep(tx, { ...base, ...next.lost }, { status: 'ambiguous', at: draft.now });
  if (next.kind === 'exhausted') return;
  if (next.stale) await endStep(tx, { ...base, ...next.stale }, { status: 'dropped', at: draft.now });
  if (next.supersedes !== undefined && node.stream) tell(draft, resetDelta(node.id));
}

async function requestOf(
  change: RunChange,
  node: LlmNode,
  journal: readonly JournalRow[],
): Promise<Made<ResponsesBody>> {
  const { tx, run } = change;
  const read = node.bindings.map((binding) => binding.from);
  const inputs = await loadOutputs(tx, run.runId, read, limits.nodeInputBytes);
  if (!inputs.ok) return inputs;
  const bound = bindRequest(node, inputs.value, run.modelOverride ?? undefined);
  if (!bound.ok) return bound;
  return { ok: true, value: continueConversation(bound.value, journal.flatMap(roundOf)) };
}

function roundOf({ status, llmResponse, toolResults }: JournalRow): Round[] {
  if (status !== 'settled' || llmResponse === null || toolResults === null) return [];
  return [{ answer: JSON.parse(llmResponse) as ResponseResource, results: JSON.parse(toolResults) as ToolResult[] }];
}

function exhausted(): RunFailure {
  return { code: 'SERVICE_UNAVAILABLE', message: `the model call was interrupted ${limits.lostAttempts} times` };
}

function loopLimit(node: LlmNode, step: number): RunFailure | undefined {
  const callsMax = node.tool_limits.max_llm_calls;
  if (step < callsMax) return undefined;
  return { code: 'TOOL_LOOP_LIMIT', message: `the node made ${callsMax} model calls without an answer` };
}
