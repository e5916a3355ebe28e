import { PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import { limits } from '../../domain/limits.js';
import type { ModelNode } from '../../domain/plan/plan.js';
import { type EventDraft, toolResult } from '../../domain/run/run-event.js';
import { failNode, tell } from '../../domain/run/run-transitions.js';
import { visibleFailure } from '../../domain/step/refusal.js';
import {
  afterToolFailure,
  failureInOutput,
  outputOfFailure,
  type ToolFailure,
} from '../../domain/tools/tool-failure.js';
import type { ToolTask } from '../../domain/tools/tool-task.js';
import { insertToolResult } from '../../store/tool-results.js';
import type { WorkItem } from '../../store/work-item.js';
import type { RunChange } from '../change-run.js';
import { type Move, nextMove } from '../model-steps/next-move.js';

/** What came of a tool call, whoever answered it. */
export interface CallOutcome {
  /** JSON; absent: nobody has answered, and `failure` says why. */
  output?: string;
  errorCode?: string | undefined;
  /** Set when the call is to be judged as failed. */
  failure?: ToolFailure | undefined;
  /** Tries so far, this one included. */
  attempt: number;
  /** Arguments as hooks have left them. */
  arguments?: string | undefined;
  modelId?: string | null;
  costMicrocents?: bigint;
  mocksServed?: number;
  mockKey?: string | null;
  /** What the call has changed in the run, told after its result. */
  effect?: EventDraft | undefined;
}

/**
 * One tool call has been answered: in this transition its result commits with its event and with what the node does
 * next, or the node fails with it. A call that nobody answered leaves a result only where its agent knows of it.
 */
export async function settleCall(
  change: RunChange,
  item: WorkItem,
  node: ModelNode,
  task: ToolTask,
  outcome: CallOutcome,
): Promise<Move | undefined> {
  const failure = outcome.failure && shown(task, outcome.failure);
  const isStopped = failure && afterToolFailure(node, failure, outcome.attempt) !== 'tell';
  if (!isStopped || node.type === 'agent.run') await record(change, task, outcome, failure);
  if (!isStopped) return nextMove(change, item, node);
  failNode(change.draft, node.id, failure);
  return undefined;
}

function shown({ principal }: ToolTask, failure: ToolFailure): ToolFailure {
  if (failure.isAnswer) return failure;
  return { ...visibleFailure(failure, principal.kind === PrincipalKind.CUSTOMER), isAnswer: false };
}

async function record(
  { tx, draft }: RunChange,
  { ref, holdId, call, position }: ToolTask,
  outcome: CallOutcome,
  failure: ToolFailure | undefined,
): Promise<void> {
  const given = outcome.output ?? outputOfFailure(failure as ToolFailure);
  const output = given.length > limits.toolOutputChars ? tooLarge() : given;
  const result = { tool_call_id: call.tool_call_id, name: call.name, output };
  const { modelId = null, costMicrocents = 0n, mocksServed = 0, mockKey = null, arguments: changed } = outcome;
  const errorCode = outcome.errorCode || failure?.code || null;
  const facts = { modelId, costMicrocents, mocksServed, mockKey, errorCode };
  await insertToolResult(tx, ref, { ...result, ...facts, position, at: draft.now });
  const step = { step: ref.step, request_id: holdId };
  tell(draft, toolResult(ref.nodeId, { ...step, ...result, ...(changed && { arguments: changed }) }));
  if (outcome.effect) tell(draft, outcome.effect);
}

function tooLarge(): string {
  const message = `the result is larger than ${limits.toolOutputChars} characters`;
  return outputOfFailure({ code: 'PAYLOAD_TOO_LARGE', message });
}

/** The failure in what a tool has answered. */
export function answeredFailure(output: string, errorCode: string): ToolFailure | undefined {
  return errorCode === '' ? undefined : failureInOutput(output);
}
