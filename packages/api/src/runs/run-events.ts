import { z } from 'zod';
import { schedulerPolicy } from './agent-nodes.js';

/** The event log of a run. Readers ignore fields and types they do not know. */

const envelope = {
  envelope_version: z.literal('v0'),
  run_id: z.guid(),
  seq: z.int().min(1),
  ts: z.iso.datetime(),
};
const ofNode = { ...envelope, node_id: z.string() };
const error = z.looseObject({ code: z.string(), message: z.string() });
const artifact = { artifact_key: z.string(), bytes: z.int().min(0), sha256: z.string().regex(/^[0-9a-f]{64}$/) };
const ofStep = { step: z.int().min(0), request_id: z.string() };
const toolCall = { tool_call_id: z.string(), name: z.string(), arguments: z.string() };

/** Nodes that another node's outcome has ended without an event of their own: skipped or abandoned. */
const canceled_nodes = z.array(z.string()).optional();

function event<T extends string, S extends z.ZodRawShape>(type: T, shape: S) {
  return z.looseObject({ ...shape, type: z.literal(type) });
}

/** One line of the event stream. */
export const runEventSchema = z
  .discriminatedUnion('type', [
    event('run_compiled', { ...envelope, plan_hash: z.string() }),
    event('run_started', { ...envelope, plan_hash: z.string() }),
    event('run_completed', { ...envelope, plan_hash: z.string(), outputs: z.record(z.string(), z.unknown()) }),
    event('run_failed', { ...envelope, error }),
    event('run_canceled', envelope),
    event('node_started', ofNode),
    event('node_succeeded', { ...ofNode, canceled_nodes }),
    event('node_failed', { ...ofNode, error, canceled_nodes }),
    event('node_output', { ...ofNode, node_output: z.looseObject(artifact) }),
    event('node_output_delta', {
      ...ofNode,
      /** `reset`: discard the node's output so far; with an `attempt` if the node failed and is retried. */
      delta: z.looseObject({
        kind: z.enum(['text', 'reset']),
        text_delta: z.string(),
        attempt: z.int().optional(),
        error: error.optional(),
      }),
    }),
    event('node_waiting', {
      ...ofNode,
      waiting: z.looseObject({ ...ofStep, pending_tool_calls: z.array(z.looseObject(toolCall)) }),
    }),
    event('node_llm_call', {
      ...ofNode,
      llm_call: z.looseObject({
        ...ofStep,
        provider: z.string(),
        model: z.string(),
        response_id: z.string(),
        stop_reason: z.string(),
        usage: z.looseObject({ input_tokens: z.int(), output_tokens: z.int(), total_tokens: z.int() }),
      }),
    }),
    event('node_tool_call', { ...ofNode, tool_call: z.looseObject({ ...ofStep, ...toolCall }) }),
    event('node_tool_result', {
      ...ofNode,
      tool_result: z.looseObject({ ...ofStep, tool_call_id: z.string(), name: z.string(), output: z.string() }),
    }),
    event('kv_updated', {
      ...ofNode,
      kv_update: z.looseObject({
        ...ofStep,
        ...artifact,
        tool_call_id: z.string(),
        key: z.string(),
        deleted: z.boolean(),
      }),
    }),
    event('task_list_updated', {
      ...ofNode,
      task_list: z.looseObject({
        ...ofStep,
        ...artifact,
        tool_call_id: z.string(),
        tasks: z.array(z.looseObject({ content: z.string(), status: z.enum(['pending', 'in_progress', 'completed']) })),
      }),
    }),
    event('scheduler_started', { ...ofNode, policy: schedulerPolicy }),
    event('scheduler_round_started', { ...ofNode, round: z.int().min(1) }),
    event('scheduler_agent_completed', {
      ...ofNode,
      round: z.int().min(1),
      /** `<slug>@<revision>` */
      agent: z.string(),
      role: z.enum(['agent', 'coordinator']),
      /** Set when the round runs the same agent several times. */
      index: z.int().optional(),
      /** The node of this agent, which has its own events. */
      agent_node_id: z.string(),
      status: z.enum(['succeeded', 'failed']),
      error: error.optional(),
    }),
    event('scheduler_stopped', {
      ...ofNode,
      reason: z.enum(['done', 'max_rounds', 'max_steps', 'timeout', 'error']),
      rounds: z.int(),
      steps: z.int(),
    }),
  ])
  .meta({ title: 'Run event', description: 'One event of the log of a run' });

/** JSON Schema (2020-12) of an event. */
export function runEventJsonSchema(): Record<string, unknown> {
  return z.toJSONSchema(runEventSchema, { io: 'output', unrepresentable: 'any' }) as Record<string, unknown>;
}
