import type { ResponseResource } from '@tollgate/api/model-requests';
import type { RunFailure } from '../failure.js';
import type { SchedulerNode } from '../plan/plan.js';
import { type ScheduledPlace, scheduledId, scheduledPlace } from '../plan/plan-tree.js';
import { readAnswerText } from '../step/answer-reader.js';
import { listToolCalls } from '../tools/tool-calls.js';
import type { Json, JsonObject } from '../values/json.js';
import type { NodeState } from './run-draft.js';
import type { NodeStatus } from './status.js';

/** Why a scheduler stopped. */
export type StopReason = 'done' | 'max_rounds' | 'max_steps' | 'timeout' | 'error';

/** Returns the ids of the agents that work in a round. */
export function workerIds(node: SchedulerNode, round: number): string[] {
  return node.agents.flatMap(({ count }, agent) =>
    Array.from({ length: count }, (_, nth) => scheduledId(node.id, { round, worker: { agent, nth } })),
  );
}

/** Returns the current round of a scheduler; 0 before the first. */
export function currentRound(children: readonly NodeState[]): number {
  return Math.max(0, ...children.map(({ id }) => scheduledPlace(id)?.round ?? 0));
}

/**
 * The result of an agent, for the coordinator and the scheduler's output. A type alias, because an interface is not
 * assignable to `Json`.
 */
export type AgentReport = {
  round: number;
  /** `<slug>@<revision>` */
  agent: string;
  index: number;
  status: NodeStatus;
  /** The text of its last answer. */
  text?: string;
  error?: { code: string; message: string };
};

export function toReport(node: SchedulerNode, state: NodeState, output: Json | undefined): AgentReport {
  const { round, worker } = scheduledPlace(state.id) as ScheduledPlace & { worker: { agent: number; nth: number } };
  const pin = node.agents[worker.agent]?.agent.agent;
  return {
    round,
    agent: `${pin?.slug}@${pin?.revision}`,
    index: worker.nth,
    status: state.status,
    ...(output !== undefined && { text: readAnswerText(answerIn(output)) }),
    ...(state.failure && { error: toError(state.failure) }),
  };
}

/** Returns the messages that precede the coordinator's own. */
export function coordinatorContext(node: SchedulerNode, round: number, reports: readonly AgentReport[]): string[] {
  const heading = `Round ${round} of at most ${node.policy.max_rounds}. The results of the agents:`;
  return [`${heading}\n\n${JSON.stringify(reports)}`];
}

/** Returns the messages that precede those of the agents of the next round. */
export function workerContext(round: number, coordinator: Json): string[] {
  const text = readAnswerText(answerIn(coordinator));
  return text === '' ? [] : [`Message from the coordinator after round ${round}:\n\n${text}`];
}

/** Returns the arguments of the call that ended the work; undefined when another round follows. */
export function doneBy(coordinator: Json, doneTool: string): JsonObject | undefined {
  const call = listToolCalls(answerIn(coordinator)).find(({ name }) => name === doneTool);
  if (!call) return undefined;
  try {
    return JSON.parse(call.arguments.trim() || '{}') as JsonObject;
  } catch {
    return {};
  }
}

/**
 * Returns the answer in the output of an agent or a coordinator. It is not parsed with the schema of answers: this
 * service stored it, and a later schema must not reject the answers of runs that started before.
 */
function answerIn(output: Json): ResponseResource {
  return output as unknown as ResponseResource;
}

function toError({ code, message }: RunFailure) {
  return { code, message };
}
