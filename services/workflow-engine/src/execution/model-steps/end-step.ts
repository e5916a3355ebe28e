import type { ResponseResource } from '@tollgate/api/model-requests';
import { PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import { ok, type RunFailure } from '../../domain/failure.js';
import { type EventDraft, llmCall, nodeEvent } from '../../domain/run/run-event.js';
import { emit, failNode } from '../../domain/run/run-transitions.js';
import { nodeOutput, type ReceivedAnswer } from '../../domain/step/answer-reader.js';
import type { Served } from '../../domain/step/cost.js';
import type { ModelStep } from '../../domain/step/model-step.js';
import { visibleFailure } from '../../domain/step/refusal.js';
import { endsAgent, listToolCalls, refuseCalls, type ToolCall } from '../../domain/tools/tool-calls.js';
import type { JsonObject } from '../../domain/values/json.js';
import { markRecorded, type RecordedStep } from '../../store/steps/recorded-run.js';
import { endStep, recordLateUsage, type StepEnd } from '../../store/steps/run-steps.js';
import { changeRun, changeRunTogether } from '../change-run.js';
import { finishNode } from '../outputs.js';
import type { OpenRun } from '../run-change.js';
import type { StepRun, WorkContext } from '../work-context.js';
import { type AdmissionsAhead, admitEarly } from './admit-early.js';
import { type Move, nextMove } from './next-move.js';

export interface SettledStep {
  received: ReceivedAnswer;
  served: Served;
  /** Text that readers have not received yet. */
  deltas: readonly EventDraft[];
  /** Holds of the next calls that were requested before the answer was settled. */
  ahead?: AdmissionsAhead;
  /** Set when the answer comes from a recorded run: no model was called, and nothing is charged. */
  recorded?: RecordedStep;
}

/**
 * Ends a step with the model's answer: result, usage and cost commit together with the answer's effect on the node.
 * Returns the node's next move when this process continues it.
 */
export async function settleStep(ctx: WorkContext, run: StepRun, settled: SettledStep): Promise<Move | undefined> {
  const { received, served } = settled;
  const { answer, json } = received;
  const { item, node, step } = run;
  const end = {
    provider: answer.provider,
    costMicrocents: served.costMicrocents,
    inputTokens: served.usage.inputTokens,
    outputTokens: served.usage.outputTokens,
    llmResponse: json,
  };
  const calls = listToolCalls(answer);
  const isLast = calls.length === 0 || endsAgent(node, calls);
  const refused = isLast ? undefined : refuseCalls(node, calls, step.callsMade);
  const isContinued = !isLast && !refused;
  const events = [...settled.deltas, ...answerEvents(step, answer, calls)];
  const finish = async (open: OpenRun): Promise<undefined> => {
    open.steps.ended.push({ ref: step.ref, end: { ...end, status: 'settled' } });
    const output = nodeOutput(node, received);
    const result = refused ? { ok: false as const, failure: refused } : ok(output.value);
    await finishNode(open, node.id, result, { events, json: output.json });
    return undefined;
  };
  const { recorded } = settled;
  const fence = { ...item, ends: !isContinued };
  const changed =
    isContinued || recorded
      ? await changeRun(ctx, item.runId, fence, async (change) => {
          if (recorded) await markRecorded(change.tx, step.ref, recorded);
          if (!isContinued) return finish(change);
          await endStep(change.tx, step.ref, { ...end, status: 'settled', at: change.draft.now });
          for (const event of events) emit(change.draft, event);
          return nextMove(change, run);
        })
      : await changeRunTogether(ctx, item.runId, fence, finish, admitEarly(ctx, settled.ahead));
  if (changed.outcome === 'done') return changed.value;
  await recordLateUsage(ctx.pool, step.ref, end);
  return undefined;
}

function answerEvents({ ref, holdId }: ModelStep, answer: ResponseResource, calls: readonly ToolCall[]): EventDraft[] {
  const step = { step: ref.step, request_id: holdId };
  return [
    llmCall(ref.nodeId, { ...step, ...llmCallFields(answer) }),
    ...calls.map((call) => nodeEvent('node_tool_call', ref.nodeId, { tool_call: { ...step, ...call } })),
  ];
}

function llmCallFields(answer: ResponseResource): JsonObject {
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
  /** `ambiguous`: the request was sent, and its cost is unknown. */
  status: 'failed' | 'ambiguous';
  /** The real reason, for the journal. */
  errorCode: string;
  provider?: string | undefined;
  /** Usage before the failure; undefined when it is unknown and the ledger must be asked later. */
  served?: Served | undefined;
  deltas?: readonly EventDraft[];
}

/** Fails a step, its node, and with it the run unless the failure is handled. */
export async function failStep(ctx: WorkContext, { item, step }: StepRun, end: FailedStep): Promise<void> {
  const { failure, served, deltas = [] } = end;
  const visible = visibleFailure(failure, step.principal.kind === PrincipalKind.CUSTOMER);
  const entry: Omit<StepEnd, 'at'> = {
    status: end.status,
    errorCode: end.errorCode,
    provider: end.provider,
    costMicrocents: served?.costMicrocents,
    inputTokens: served?.usage.inputTokens,
    outputTokens: served?.usage.outputTokens,
  };
  const changed = await changeRun(ctx, item.runId, { ...item, ends: true }, async ({ tx, draft }) => {
    await endStep(tx, step.ref, { ...entry, at: draft.now });
    failNode(draft, step.ref.nodeId, visible, deltas);
  });
  if (changed.outcome === 'fenced' && served) await recordLateUsage(ctx.pool, step.ref, entry);
}
