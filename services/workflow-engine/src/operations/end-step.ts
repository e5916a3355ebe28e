import type { ResponseResource } from '@tollgate/api';
import { PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import type { Context } from '../context.js';
import { type PendingToolCall, pendingToolCalls } from '../domain/answer-reader.js';
import { costOfCall, type Prices, type Usage } from '../domain/cost.js';
import { failed, made, type RunFailure } from '../domain/failure.js';
import type { Json, JsonObject } from '../domain/json.js';
import type { ModelStep } from '../domain/model-step.js';
import type { LlmNode } from '../domain/plan.js';
import { visibleFailure } from '../domain/refusal.js';
import { type EventDraft, llmCall, nodeEvent } from '../domain/run-event.js';
import { failNode, waitNode } from '../domain/run-transitions.js';
import { endStep, recordLateUsage, type StepEnd } from '../store/run-steps.js';
import { insertAlarm } from '../store/run-work.js';
import type { WorkItem } from '../store/work-item.js';
import { changeRun, type RunChange } from './change-run.js';
import { finishNode } from './finish-node.js';

export interface StepAt {
  item: WorkItem;
  nodeId: string;
  step: Pick<ModelStep, 'ref' | 'requestId' | 'principal'>;
}

export interface SettledStep {
  answer: ResponseResource;
  usage: Usage;
  prices: Prices;
  /** Text that readers have not been told yet. */
  deltas: readonly EventDraft[];
}

/** The model has answered: result, usage and cost commit with what the answer makes of the node. */
export async function settleStep(ctx: Context, at: StepAt, node: LlmNode, settled: SettledStep): Promise<void> {
  const { answer, usage, prices } = settled;
  const end = {
    provider: answer.provider,
    costMicrocents: costOfCall(usage, prices),
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
    llmResponse: JSON.stringify(answer),
  };
  const changed = await changeRun(ctx, at.item.runId, { ...at.item, ends: true }, async (change) => {
    await endStep(change.tx, at.step.ref, { ...end, status: 'settled', at: change.draft.now });
    await takeAnswer(change, at, node, settled);
  });
  if (changed.outcome === 'fenced') await recordLateUsage(ctx.pool, at.step.ref, end);
}

async function takeAnswer(change: RunChange, at: StepAt, node: LlmNode, settled: SettledStep): Promise<void> {
  const { answer, deltas } = settled;
  const { requestId, ref } = at.step;
  const { step } = ref;
  const calls = pendingToolCalls(answer);
  const events = [
    ...deltas,
    llmCall(node.id, { step, request_id: requestId, ...llmCallFacts(answer) }),
    ...calls.map((call) =>
      nodeEvent('node_tool_call', node.id, { tool_call: { step, request_id: requestId, ...call } }),
    ),
  ];
  const refused = calls.length === 0 ? undefined : refusedCalls(node, calls);
  if (refused) return finishNode(change, node.id, failed(refused.code, refused.message), events);
  if (calls.length === 0) return finishNode(change, node.id, made(answer as unknown as Json), events);
  const { draft, tx, run } = change;
  waitNode(draft, node.id, { step, request_id: requestId, pending_tool_calls: calls }, events);
  const alarmAt = new Date(draft.now.getTime() + node.tool_limits.wait_ttl_ms);
  await insertAlarm(tx, { ...run, nodeId: node.id, kind: 'wait_deadline', at: alarmAt });
}

function refusedCalls(node: LlmNode, calls: readonly PendingToolCall[]): RunFailure | undefined {
  const names = [...new Set(calls.map((call) => call.name))].join(', ');
  if (node.tool_execution.mode === 'server') {
    return { code: 'TOOL_UNHANDLED', message: `the model called tools that nobody executes: ${names}` };
  }
  const callsMax = node.tool_limits.max_tool_calls_per_step;
  if (calls.length <= callsMax) return undefined;
  return { code: 'TOOL_LOOP_LIMIT', message: `the model made ${calls.length} tool calls at once; at most ${callsMax}` };
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
  /** What was served before it failed. */
  cost?: { usage: Usage; prices: Prices } | undefined;
  deltas?: readonly EventDraft[];
}

/** The step has failed for good, and its node and run with it. */
export async function failStep(ctx: Context, at: StepAt, end: FailedStep): Promise<void> {
  const { failure, cost, deltas = [] } = end;
  const shown = visibleFailure(failure, at.step.principal.kind === PrincipalKind.CUSTOMER);
  const entry: Omit<StepEnd, 'at'> = {
    status: end.status,
    errorCode: end.errorCode,
    provider: end.provider,
    costMicrocents: cost && costOfCall(cost.usage, cost.prices),
    inputTokens: cost?.usage.inputTokens,
    outputTokens: cost?.usage.outputTokens,
  };
  const changed = await changeRun(ctx, at.item.runId, { ...at.item, ends: true }, async ({ tx, draft }) => {
    await endStep(tx, at.step.ref, { ...entry, at: draft.now });
    failNode(draft, at.nodeId, shown, deltas);
  });
  if (changed.outcome === 'fenced' && cost) await recordLateUsage(ctx.pool, at.step.ref, entry);
}
