import type { ResponseResource } from '@tollgate/api';
import { PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import type { Context } from '../../context.js';
import { made, type RunFailure } from '../../domain/failure.js';
import type { ModelNode } from '../../domain/plan/plan.js';
import { type EventDraft, llmCall, nodeEvent } from '../../domain/run/run-event.js';
import { failNode, tell } from '../../domain/run/run-transitions.js';
import { outputOf } from '../../domain/step/answer-reader.js';
import type { Served } from '../../domain/step/cost.js';
import type { ModelStep } from '../../domain/step/model-step.js';
import { visibleFailure } from '../../domain/step/refusal.js';
import { endsAgent, refuseCalls, type ToolCall, toolCallsOf } from '../../domain/tools/tool-calls.js';
import type { JsonObject } from '../../domain/values/json.js';
import { markRecorded, type RecordedStep } from '../../store/recorded-run.js';
import { endStep, recordLateUsage, type StepEnd } from '../../store/run-steps.js';
import type { WorkItem } from '../../store/work-item.js';
import { changeRun } from '../change-run.js';
import { finishNode } from '../finish-node.js';
import { type Move, nextMove } from './next-move.js';

export interface StepAt {
  item: WorkItem;
  nodeId: string;
  step: Pick<ModelStep, 'ref' | 'holdId' | 'principal' | 'callsMade'>;
}

export interface SettledStep {
  answer: ResponseResource;
  served: Served;
  /** Text that readers have not been told yet. */
  deltas: readonly EventDraft[];
  /** Where the answer is another run's: nobody was asked, and nothing is charged. */
  recorded?: RecordedStep;
}

/**
 * The model has answered: result, usage and cost commit with what the answer makes of the node. Returns the node's next
 * move when this process goes on with it.
 */
export async function settleStep(
  ctx: Context,
  at: StepAt,
  node: ModelNode,
  settled: SettledStep,
): Promise<Move | undefined> {
  const { answer, served } = settled;
  const { item, step } = at;
  const end = {
    provider: answer.provider,
    costMicrocents: served.costMicrocents,
    inputTokens: served.usage.inputTokens,
    outputTokens: served.usage.outputTokens,
    llmResponse: JSON.stringify(answer),
  };
  const calls = toolCallsOf(answer);
  const isLast = calls.length === 0 || endsAgent(node, calls);
  const refused = isLast ? undefined : refuseCalls(node, calls, step.callsMade);
  const goesOn = !isLast && !refused;
  const changed = await changeRun(ctx, item.runId, { ...item, ends: !goesOn }, async (change) => {
    if (settled.recorded) await markRecorded(change.tx, step.ref, settled.recorded);
    await endStep(change.tx, step.ref, { ...end, status: 'settled', at: change.draft.now });
    const events = [...settled.deltas, ...answerEvents(at, answer, calls)];
    if (goesOn) {
      for (const event of events) tell(change.draft, event);
      return nextMove(change, item, node);
    }
    await finishNode(change, node.id, refused ? { ok: false, failure: refused } : made(outputOf(node, answer)), events);
    return undefined;
  });
  if (changed.outcome === 'done') return changed.value;
  await recordLateUsage(ctx.pool, step.ref, end);
  return undefined;
}

function answerEvents(at: StepAt, answer: ResponseResource, calls: readonly ToolCall[]): EventDraft[] {
  const { holdId, ref } = at.step;
  const step = { step: ref.step, request_id: holdId };
  return [
    llmCall(at.nodeId, { ...step, ...llmCallFacts(answer) }),
    ...calls.map((call) => nodeEvent('node_tool_call', at.nodeId, { tool_call: { ...step, ...call } })),
  ];
}

function llmCallFacts(answer: ResponseResource): JsonObject {
  return {
    provider: answer.provider,
    model: answer.model,
    response_id: answer.id,
    stop_reason: answer.stop_reason,
    usage: answer.usage as JsonObject,
  };
}

export interface FailedStep {
  failure: RunFailure;
  /** `ambiguous`: it was sent, and what it cost is not known. */
  status: 'failed' | 'ambiguous';
  /** The true reason, for the journal. */
  errorCode: string;
  provider?: string | undefined;
  /** What was served before it failed, where that is known: else the ledger is asked once it has failed. */
  served?: Served | undefined;
  deltas?: readonly EventDraft[];
}

/** The step has failed for good, and its node and run with it. */
export async function failStep(ctx: Context, at: StepAt, end: FailedStep): Promise<void> {
  const { failure, served, deltas = [] } = end;
  const shown = visibleFailure(failure, at.step.principal.kind === PrincipalKind.CUSTOMER);
  const entry: Omit<StepEnd, 'at'> = {
    status: end.status,
    errorCode: end.errorCode,
    provider: end.provider,
    costMicrocents: served?.costMicrocents,
    inputTokens: served?.usage.inputTokens,
    outputTokens: served?.usage.outputTokens,
  };
  const changed = await changeRun(ctx, at.item.runId, { ...at.item, ends: true }, async ({ tx, draft }) => {
    await endStep(tx, at.step.ref, { ...entry, at: draft.now });
    failNode(draft, at.nodeId, shown, deltas);
  });
  if (changed.outcome === 'fenced' && served) await recordLateUsage(ctx.pool, at.step.ref, entry);
}
