import { z } from 'zod';
import { outputMessage } from '../model-requests/responses.js';
import { agentInput, agentOverrides } from './agent-nodes.js';
import { listRunStepsResponse, RUN_STATUSES } from './runs.js';

const options = agentOverrides.extend({
  /** Streams the run's events as NDJSON or SSE instead of returning its result. */
  stream: z.boolean().default(false),
  /** Includes the steps in the result, with their requests, answers and tool results. */
  capture_tool_io: z.boolean().default(false),
  /** A tool call that no mock answers is an error. */
  dry_run: z.boolean().default(false),
});

/** `POST /projects/{id}/agents/{slug}/run` */
export const runAgentBody = z.object({
  input: agentInput,
  options: options.prefault({}),
  /** External id of the customer that the request is made for; secret keys only. */
  customer_id: z.string().min(1).max(255).optional(),
});

/** By tool: an array is served in order, an object by the call's `id` or `key`, anything else once. */
const mockTools = z.record(z.string().min(1).max(128), z.unknown()).default({});

/** `POST /projects/{id}/agents/{slug}/test` */
export const testAgentBody = runAgentBody.extend({ mock_tools: mockTools });

/** `POST /projects/{id}/agents/{slug}/replay`: with `run_id` that run's input, model answers and tool results are used. */
export const replayAgentBody = testAgentBody
  .extend({ input: agentInput.optional(), run_id: z.guid().optional() })
  .refine(({ input, run_id }) => input !== undefined || run_id !== undefined, {
    path: ['input'],
    message: 'is required without run_id',
  });

export const agentRunResponse = z.object({
  run_id: z.guid(),
  status: z.enum(RUN_STATUSES),
  /** For a failed run: the agent's output up to the failure. */
  output: z.array(outputMessage),
  usage: z.object({
    /** Model calls of the agent itself. */
    total_steps: z.int(),
    /** Including those of its fragments. */
    total_llm_calls: z.int(),
    total_tool_calls: z.int(),
    total_input_tokens: z.int(),
    total_output_tokens: z.int(),
    /** Rounded to a whole cent; `total_cost_microcents` is exact. */
    total_cost_cents: z.int(),
    total_cost_microcents: z.int(),
  }),
  /** Empty unless `capture_tool_io` asks for them. */
  steps: listRunStepsResponse.shape.steps,
  /** Of a run that failed. */
  error: z.object({ code: z.string(), message: z.string() }).optional(),
});

const counts = z.record(z.string(), z.int());

/** Of `/test` and `/replay`. */
export const agentTestResponse = agentRunResponse.extend({
  mocks: z.object({ served: counts, unconsumed: counts, unmocked: counts }),
});

export type RunAgentBody = z.output<typeof runAgentBody>;
export type TestAgentBody = z.output<typeof testAgentBody>;
export type ReplayAgentBody = z.output<typeof replayAgentBody>;
