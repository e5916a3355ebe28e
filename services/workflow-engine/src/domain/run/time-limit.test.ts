import { describe, expect, it } from '@jest/globals';
import type { AgentNode, Plan } from '../plan/plan.js';
import { callTimeLimit, nodeTimeout, nodeTimeoutMs } from './time-limit.js';

describe('time limits', () => {
  const plan = { execution: { node_timeout_ms: 10_000 } } as Plan;
  const agent = (max_duration_ms: number, step_timeout_ms = 1_000) =>
    ({ type: 'agent.run', max_duration_ms, step_timeout_ms }) as AgentNode;

  it.each<[string, AgentNode, number, string]>([
    ['of an agent', agent(5_000), 5_000, 'AGENT_LIMIT_REACHED'],
    ['of its workflow, if that is shorter', agent(50_000), 10_000, 'RELAY_TIMEOUT'],
  ])('uses the limit %s', (_name, node, ms, code) => {
    expect([nodeTimeoutMs(plan, node), nodeTimeout(plan, node).code]).toEqual([ms, code]);
  });

  it.each([
    [9_000, 1_000, 'a step of the agent did not end within 1 s'],
    [500, 500, 'the agent did not end within 5 s'],
  ])('limits one call with %i ms left to %i ms', (remainingMs, ms, message) => {
    const limit = callTimeLimit(plan, agent(5_000), remainingMs);
    expect([limit.remainingMs, limit.failure.message]).toEqual([ms, message]);
  });
});
