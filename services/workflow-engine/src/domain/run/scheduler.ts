import type { ResponseResource } from '@tollgate/api';
import type { RunFailure } from '../failure.js';
import type { SchedulerNode } from '../plan/plan.js';
import { type ScheduledPlace, scheduledId, scheduledPlace } from '../plan/plan-tree.js';
import { textOf } from '../step/answer-reader.js';
import { toolCallsOf } from '../tools/tool-calls.js';
import type { Json, JsonObject } from '../values/json.js';
import type { NodeState } from './run-draft.js';
import type { NodeStatus } from './status.js';

/** Why a scheduler has stopped. */
export type StopReason = 'done' | 'max_rounds' | 'max_steps' | 'timeout' | 'error';

/** Ids of the agents that work in a round. */
export function workerIds(node: SchedulerNode, round: number): string[] {
  return node.agents.flatMap(({ count }, agent) =>
    Array.from({ length: count }, (_, nth) => scheduledId(node.id, { round, worker: { agent, nth } })),
  );
}

/** The round that a scheduler is in; 0 before the first. */
export function currentRound(children: readonly NodeState[]): number {
  return Math.max(0, ...children.map(({ id }) => scheduledPlace(id)?.round ?? 0));
}

/** What an agent has come to, as its coordinator and the scheduler's output have it. */
export interface AgentReport {
  round: number;
  /** Who it is: `<slug>@<revision>`. */
  agent: string;
  index: number;
  status: NodeStatus;
  /** What it said in the end. */
  text?: string;
  error?: { code: string; message: string };
}

export function toReport(node: SchedulerNode, state: NodeState, output: Json | undefined): AgentReport {
  const { round, worker } = scheduledPlace(state.id) as ScheduledPlace & { worker: { agent: number; nth: number } };
  const pin = node.agents[worker.agent]?.agent.agent;
  return {
    round,
    agent: `${pin?.slug}@${pin?.revision}`,
    index: worker.nth,
    status: state.status,
    ...(output !== undefined && { text: textOf(answerIn(output)) }),
    ...(state.failure && { error: wordsOf(state.failure) }),
  };
}

/** What the coordinator reads before its own messages. */
export function coordinatorContext(node: SchedulerNode, round: number, reports: readonly AgentReport[]): string[] {
  const heading = `Round ${round} of at most ${node.policy.max_rounds}. What the agents have come to:`;
  return [`${heading}\n\n${JSON.stringify(reports)}`];
}

/** What the agents of the next round read before their own messages. */
export function workerContext(round: number, coordinator: Json): string[] {
  const text = textOf(answerIn(coordinator));
  return text === '' ? [] : [`What the coordinator says after round ${round}:\n\n${text}`];
}

/** The arguments with which the coordinator has ended the work; undefined when it goes on. */
export function doneBy(coordinator: Json, doneTool: string): JsonObject | undefined {
  const call = toolCallsOf(answerIn(coordinator)).find(({ name }) => name === doneTool);
  if (!call) return undefined;
  try {
    return JSON.parse(call.arguments.trim() || '{}') as JsonObject;
  } catch {
    return {};
  }
}

export function answerIn(output: Json): ResponseResource {
  return output as unknown as ResponseResource;
}

function wordsOf({ code, message }: RunFailure) {
  return { code, message };
}
