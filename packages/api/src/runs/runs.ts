import { z } from 'zod';
import { jsonObject } from '../values/json-object.js';
import { pageQuery, queryBoolean, queryInteger } from '../values/paging.js';
import { storableText } from '../values/text.js';
import { dayOrMoment } from '../values/times.js';
import { agentLimits } from './agents.js';

export const RUN_STATUSES = ['running', 'waiting', 'succeeded', 'failed', 'canceled'] as const;
export const NODE_STATUSES = ['pending', 'running', 'waiting', 'succeeded', 'failed', 'canceled'] as const;

const SEQ_MAX = 2_147_483_647;
const TOOL_RESULTS_MAX = 128;
const TOOL_OUTPUT_CHARS_MAX = 1_048_576;

/** An `Idempotency-Key`, in the header or in a body. */
export const idempotencyKey = z.string().regex(/^[\x21-\x7e]{1,255}$/, 'must be 1 to 255 visible ASCII characters');

/** `POST /runs`: a spec, or the hash of a plan that this project has compiled before. The engine validates the spec. */
export const createRunBody = z
  .object({
    spec: z.unknown().optional().meta({
      description: 'A workflow.v0 or workflow.v1 spec: {kind, name, inputs, nodes, edges, outputs, execution}',
    }),
    plan_hash: z
      .string()
      .regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits')
      .optional(),
    input: jsonObject.optional(),
    session_id: z.guid().optional(),
    /** Replaces the model of every model step. */
    model_override: storableText(256).min(1).optional(),
    options: z.object({ idempotency_key: idempotencyKey.optional() }).optional(),
  })
  .superRefine((body, ctx) => {
    if ((body.spec === undefined) === (body.plan_hash === undefined)) {
      ctx.addIssue({ code: 'custom', path: ['spec'], message: 'needs exactly one of spec and plan_hash' });
    }
  });

export const createRunResponse = z.object({
  run_id: z.guid(),
  status: z.enum(RUN_STATUSES),
  plan_hash: z.string(),
});

/** `GET /runs` */
export const listRunsQuery = pageQuery(50, 200).extend({
  status: z.enum(RUN_STATUSES).optional(),
  customer_id: z.guid().optional(),
  agent: storableText(agentLimits.slugLength).min(1).optional(),
  from: dayOrMoment.optional(),
  to: dayOrMoment.optional(),
});

const runSummary = z.object({
  run_id: z.guid(),
  status: z.enum(RUN_STATUSES),
  plan_hash: z.string(),
  name: z.string().optional(),
  customer_id: z.guid().optional(),
  created_at: z.iso.datetime(),
  ended_at: z.iso.datetime().optional(),
});

export const listRunsResponse = z.object({ runs: z.array(runSummary), next_cursor: z.string().optional() });

const runError = z.object({ code: z.string(), message: z.string() });

const costLineItem = z.object({
  node_id: z.string(),
  model: z.string(),
  /** Exact decimal fraction of a cent. */
  usd_cents: z.number(),
  provider: z.string().optional(),
  requests: z.int().optional(),
  input_tokens: z.int().optional(),
  output_tokens: z.int().optional(),
  /** An attempt whose outcome is unknown. The total does not include it, and only owners see it. */
  kind: z.literal('ambiguous_attempt').optional(),
  request_id: z.string().optional(),
  /** The amount of the hold, which is the highest possible cost. */
  held_usd_cents: z.number().optional(),
});

export const runSnapshotSchema = runSummary.extend({
  session_id: z.guid().optional(),
  cost_summary: z.object({ total_usd_cents: z.number(), line_items: z.array(costLineItem) }),
  nodes: z.array(
    z.object({
      id: z.string(),
      type: z.string(),
      depends_on: z.array(z.string()).optional().describe('nodes of the same graph that must end first'),
      status: z.enum(NODE_STATUSES),
      started_at: z.iso.datetime().optional(),
      ended_at: z.iso.datetime().optional(),
      output: z.unknown().optional(),
      error: runError.optional(),
    }),
  ),
  input: jsonObject.optional().describe('values of its declared inputs'),
  outputs: jsonObject,
  error: runError.optional(),
});

/** `GET /runs/{id}/events` */
export const runEventsQuery = z.object({
  after_seq: queryInteger(0, SEQ_MAX).default(0),
  /** False ends the answer after the events that are stored now. */
  wait: queryBoolean.default(true),
  limit: queryInteger(1, 10_000).optional(),
});

export const pendingToolsResponse = z.object({
  run_id: z.guid(),
  pending: z.array(
    z.object({
      node_id: z.string(),
      step: z.int(),
      request_id: z.string(),
      tool_calls: z.array(z.object({ tool_call_id: z.string(), name: z.string(), arguments: z.string() })),
    }),
  ),
});

/** `POST /runs/{id}/tool-results`: all results of one step. `output` is a string of JSON. */
export const toolResultsBody = z.object({
  /** The id of a node in a fragment or fan-out includes the ids of the nodes around it. */
  node_id: storableText(2_048).min(1),
  step: z.int().min(0).max(SEQ_MAX),
  request_id: storableText(128).min(1),
  results: z
    .array(
      z.object({
        tool_call_id: storableText(256).min(1),
        name: storableText(256).min(1),
        output: z.string().max(TOOL_OUTPUT_CHARS_MAX),
      }),
    )
    .min(1)
    .max(TOOL_RESULTS_MAX),
});

export const toolResultsResponse = z.object({ accepted: z.int(), status: z.enum(RUN_STATUSES) });

/** `GET /runs/{id}/steps` */
export const listRunStepsQuery = pageQuery(100, 500);

const stepToolCall = z.object({ tool_call_id: z.string(), name: z.string(), arguments: z.string() });
const stepToolResult = z.object({ tool_call_id: z.string(), name: z.string(), output: z.string() });

/** One model call of a node, with its request and its outcome. */
const runStep = z.object({
  node_id: z.string(),
  step: z.int(),
  /** Increases with every earlier attempt whose outcome is unknown. */
  attempt: z.int(),
  request_id: z.string(),
  status: z.enum(['intent', 'dispatched', 'settled', 'failed', 'ambiguous', 'dropped']),
  model: z.string().optional(),
  provider: z.string().optional(),
  /** The request as it was sent. */
  llm_request: z.unknown().optional(),
  llm_response: z.unknown().optional(),
  llm_call: z
    .object({
      step: z.int(),
      request_id: z.string(),
      provider: z.string(),
      model: z.string(),
      response_id: z.string(),
      stop_reason: z.string(),
      usage: z.looseObject({}),
    })
    .optional(),
  tool_calls: z.array(stepToolCall),
  tool_results: z.array(stepToolResult),
  error: z.object({ code: z.string() }).optional(),
  started_at: z.iso.datetime(),
  ended_at: z.iso.datetime().optional(),
});

export const listRunStepsResponse = z.object({ steps: z.array(runStep), next_cursor: z.string().optional() });

/** `GET /runs/{id}/tasks` */
export const listRunTasksResponse = z.object({
  tasks: z.array(z.object({ content: z.string(), status: z.enum(['pending', 'in_progress', 'completed']) })),
});

/** `POST /workflows/compile`, `POST /workflows/lint`: the spec itself; the engine validates it. */
export const workflowBody = z.unknown().meta({ description: 'A workflow.v0 or workflow.v1 spec' });

export const compileWorkflowResponse = z.object({
  plan_json: z.looseObject({ kind: z.string() }),
  plan_hash: z.string(),
});

export const lintWorkflowResponse = z.object({
  valid: z.boolean(),
  issues: z.array(z.object({ code: z.string(), path: z.string(), message: z.string() })),
});
