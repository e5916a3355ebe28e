import { z } from 'zod';
import { inputMessage } from '../model-requests/responses.js';
import { storableText } from '../values/text.js';
import { agentLimits, toolFailurePolicies } from './agents.js';
import { workflowLimits } from './workflow-limits.js';
import { llmOptions, toolExecution, toolLimitsSpec } from './workflow-spec.js';

/** Bounds of `agent.scheduler`, and the defaults for settings that its policy omits. */
export const schedulerLimits = {
  agents: 32,
  /** Agents of one round: the sum of every `count`. */
  agentsPerRound: 100,
  rounds: 100,
  steps: 10_000,
} as const;

export const schedulerDefaults = {
  max_rounds: 5,
  max_concurrency: 4,
  max_steps: 100,
  timeout_ms: 10 * 60_000,
} as const;

const wholeNumber = (min: number, max: number) => z.int().min(min).max(max);

/** `slug@revision`, or `slug` for the revision that is current when the spec is compiled. */
export const agentReference = z
  .string()
  .max(agentLimits.slugLength + 12)
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*(@[1-9][0-9]{0,9})?$/, 'must be <slug> or <slug>@<revision>');

/** Messages for an agent. */
export const agentInput = z.array(inputMessage).min(1).max(10_000);

/** Settings of the agent that one run may override. */
export const agentOverrides = z.object({
  model: storableText(255).min(1).optional(),
  max_steps: wholeNumber(1, agentLimits.steps).optional(),
  max_duration_sec: wholeNumber(1, agentLimits.durationSec).optional(),
  step_timeout_sec: wholeNumber(1, agentLimits.stepTimeoutSec).optional(),
  tool_failure_policy: z.enum(toolFailurePolicies).optional(),
  tool_retry_count: wholeNumber(0, agentLimits.toolRetries).optional(),
});

/** Fields of an `agent.run` node, either on the node or under its `input`; bindings are checked like a model node's. */
export const agentRunFields = z.object({
  agent: agentReference,
  /** Absent when a binding supplies it. */
  input: z.array(z.unknown()).optional(),
  ...agentOverrides.shape,
  stream: llmOptions.shape.stream,
  tool_execution: toolExecution.prefault({}),
  tool_limits: toolLimitsSpec.omit({ max_llm_calls: true }).prefault({}),
});

export const schedulerPolicy = z.object({
  max_rounds: wholeNumber(1, schedulerLimits.rounds).default(schedulerDefaults.max_rounds),
  /** Agents that run at the same time. */
  max_concurrency: wholeNumber(1, workflowLimits.parallelism).default(schedulerDefaults.max_concurrency),
  /** Model calls of all agents together. */
  max_steps: wholeNumber(1, schedulerLimits.steps).default(schedulerDefaults.max_steps),
  timeout_ms: wholeNumber(1, workflowLimits.runTimeoutMs).default(schedulerDefaults.timeout_ms),
});

const scheduledAgent = z.object({ agent: agentReference, input: agentInput });

/** Fields of an `agent.scheduler` node, either on the node or under its `input`. */
export const schedulerFields = z.object({
  agents: z
    .array(scheduledAgent.extend({ count: wholeNumber(1, schedulerLimits.agentsPerRound).default(1) }))
    .min(1)
    .max(schedulerLimits.agents)
    .refine((agents) => agents.reduce((sum, { count }) => sum + count, 0) <= schedulerLimits.agentsPerRound, {
      message: `at most ${schedulerLimits.agentsPerRound} agents in a round`,
    }),
  coordinator: scheduledAgent,
  policy: schedulerPolicy.prefault({}),
});
