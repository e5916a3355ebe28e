import { PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import { limits } from '../../domain/limits.js';
import { type EventDraft, toolResult } from '../../domain/run/run-event.js';
import { emit, failNode } from '../../domain/run/run-transitions.js';
import { visibleFailure } from '../../domain/step/refusal.js';
import { afterToolFailure, failureInOutput, failureOutput, type ToolFailure } from '../../domain/tools/tool-failure.js';
import type { ToolTask } from '../../domain/tools/tool-task.js';
import { insertToolResult } from '../../store/steps/tool-results.js';
import { type Move, nextMove } from '../model-steps/next-move.js';
import type { RunChange } from '../run-change.js';
import type { ToolRun } from '../work-context.js';

/** The outcome of a tool call, from any executor. */
export interface CallOutcome {
  /** JSON. Undefined when there is no answer; `failure` has the reason. */
  output?: string;
  errorCode?: string | undefined;
  /** Set when the call counts as failed. */
  failure?: ToolFailure | undefined;
  /** Number of tries so far, including this one. */
  attempt: number;
  /** The arguments, if hooks have changed them. */
  arguments?: string | undefined;
  modelId?: string | null;
  costMicrocents?: bigint;
  mocksServed?: number;
  mockKey?: string | null;
  /** The event of the call's change to the run; it follows the result. */
  effect?: EventDraft | undefined;
}

/**
 * Ends one tool call in one transition: commits its result with its event and the node's next move, or fails the node.
 * A call that fails its node is recorded only for agents, because their result reports it.
 */
export async function settleCall(change: RunChange, run: ToolRun, outcome: CallOutcome): Promise<Move | undefined> {
  const { node, task } = run;
  const failure = outcome.failure && toVisible(task, outcome.failure);
  const isStopped = failure && afterToolFailure(node, failure, outcome.attempt) !== 'report';
  if (!isStopped || node.type === 'agent.run') await record(change, task, outcome, failure);
  if (!isStopped) return nextMove(change, run);
  failNode(change.draft, node.id, failure);
  return undefined;
}

function toVisible({ principal }: ToolTask, failure: ToolFailure): ToolFailure {
  if (failure.isAnswer) return failure;
  return { ...visibleFailure(failure, principal.kind === PrincipalKind.CUSTOMER), isAnswer: false };
}

async function record(
  { tx, draft }: RunChange,
  { ref, holdId, call, position }: ToolTask,
  outcome: CallOutcome,
  failure: ToolFailure | undefined,
): Promise<void> {
  const full = outcome.output ?? failureOutput(failure as ToolFailure);
  const output = full.length > limits.toolOutputChars ? tooLarge() : full;
  const result = { tool_call_id: call.tool_call_id, name: call.name, output };
  const { modelId = null, costMicrocents = 0n, mocksServed = 0, mockKey = null, arguments: changed } = outcome;
  const errorCode = outcome.errorCode || failure?.code || null;
  const details = { modelId, costMicrocents, mocksServed, mockKey, errorCode };
  await insertToolResult(tx, ref, { ...result, ...details, position, at: draft.now });
  const step = { step: ref.step, request_id: holdId };
  emit(draft, toolResult(ref.nodeId, { ...step, ...result, ...(changed && { arguments: changed }) }));
  if (outcome.effect) emit(draft, outcome.effect);
}

function tooLarge(): string {
  const message = `the result is larger than ${limits.toolOutputChars} characters`;
  return failureOutput({ code: 'PAYLOAD_TOO_LARGE', message });
}

/** Returns the failure in a tool's answer, if it has one. */
export function answeredFailure(output: string, errorCode: string): ToolFailure | undefined {
  return errorCode === '' ? undefined : failureInOutput(output);
}
