import type { RunFailure } from '../failure.js';
import type { Plan, PlanNode } from '../plan/plan.js';
import { NODE_TIMEOUT_MESSAGE } from '../step/model-step.js';

/** Returns how long a node may run. A scheduler's limit is in its policy. */
export function nodeTimeoutMs({ execution }: Plan, node: PlanNode): number {
  if (node.type === 'agent.scheduler') return node.policy.timeout_ms;
  if (node.type === 'agent.run') return Math.min(execution.node_timeout_ms, node.max_duration_ms);
  return execution.node_timeout_ms;
}

/** Returns the failure of a node that has reached its time limit. */
export function nodeTimeout({ execution }: Plan, node: PlanNode): RunFailure {
  if (node.type === 'agent.run' && node.max_duration_ms <= execution.node_timeout_ms) {
    return limitReached(`the agent did not end within ${node.max_duration_ms / 1_000} s`);
  }
  return { code: 'RELAY_TIMEOUT', message: NODE_TIMEOUT_MESSAGE };
}

/** The time limit of one call of a node, and the failure when it is reached. */
export interface TimeLimit {
  remainingMs: number;
  failure: RunFailure;
}

/** Returns the time limit of a call. `remainingMs`: the time until the node's deadline. */
export function callTimeLimit(plan: Plan, node: PlanNode, remainingMs: number): TimeLimit {
  if (node.type !== 'agent.run' || node.step_timeout_ms >= remainingMs) {
    return { remainingMs, failure: nodeTimeout(plan, node) };
  }
  const failure = limitReached(`a step of the agent did not end within ${node.step_timeout_ms / 1_000} s`);
  return { remainingMs: node.step_timeout_ms, failure };
}

/** Returns the failure for one of an agent's own limits. */
export function limitReached(message: string): RunFailure {
  return { code: 'AGENT_LIMIT_REACHED', message };
}
