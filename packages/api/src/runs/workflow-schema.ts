import { z } from 'zod';
import { agentRunFields, schedulerFields } from './agent-nodes.js';
import { workflowLimits as limits } from './workflow-limits.js';
import {
  anyBindings,
  anySource,
  edgeCondition,
  fanoutInput,
  joinAnyInput,
  joinCollectInput,
  llmOptions,
  nodeBindings,
  nodeSource,
  retryPolicy,
  switchInput,
  transformMerge,
  transformObject,
  workflowEdge,
  workflowExecution,
  workflowInput,
  workflowName,
  workflowNodeId,
  workflowOutput,
} from './workflow-spec.js';

/**
 * The schema of a whole workflow spec, for the JSON Schema that editors use and for documentation. It combines the schemas
 * that the compiler uses; it lacks the rules between parts, such as references.
 */

const request = z.looseObject({}).meta({ description: 'A body of POST /responses; bindings may put parts of it in' });

/** The fields of an agent's node are on the node or under its input. */
function agentRun<B extends z.ZodType>(bindings: B, base: z.ZodRawShape) {
  const node = z.looseObject({ ...base, type: z.literal('agent.run') });
  const fields = agentRunFields.extend({ bindings });
  const { input: messages, ...options } = fields.shape;
  const input = z.union([
    messages,
    z.looseObject({ input: messages, ...fields.omit({ input: true }).partial().shape }),
  ]);
  return z.union([node.extend({ ...options, input }), node.extend({ input: fields.loose() })]);
}

function agentScheduler(base: z.ZodRawShape) {
  const node = z.looseObject({ ...base, type: z.literal('agent.scheduler') });
  return z.union([node.extend(schedulerFields.shape), node.extend({ input: schedulerFields.loose() })]);
}

const joinAll = z.object({ id: workflowNodeId, type: z.literal('join.all'), input: z.unknown().optional() });

function modelInput<B extends z.ZodType>(bindings: B) {
  const options = llmOptions.extend({ bindings });
  return z.union([options.extend({ request }), options.extend({ input: z.array(z.unknown()) }).loose()]);
}

function transformInput<S extends typeof nodeSource | typeof anySource>(source: S) {
  return z.union([z.object({ object: transformObject(source) }), z.object({ merge: transformMerge(source) }), source]);
}

const nodeV0 = z.union([
  z.looseObject({ id: workflowNodeId, type: z.literal('llm.responses'), input: modelInput(nodeBindings) }),
  joinAll,
  z.object({ id: workflowNodeId, type: z.literal('transform.json'), input: transformInput(nodeSource) }),
  agentRun(nodeBindings, { id: workflowNodeId }),
  agentScheduler({ id: workflowNodeId }),
]);

const base = { id: workflowNodeId, retry: retryPolicy.optional() };

const nodeV1 = z.union([
  z.looseObject({ ...base, type: z.literal('llm.responses'), input: modelInput(anyBindings) }),
  z.looseObject({
    ...base,
    type: z.literal('route.switch'),
    input: z.union([modelInput(anyBindings), switchInput.loose()]),
  }),
  joinAll.extend(base),
  z.object({ ...base, type: z.literal('join.any'), input: joinAnyInput.optional() }),
  z.object({ ...base, type: z.literal('join.collect'), input: joinCollectInput.optional() }),
  z.object({ ...base, type: z.literal('transform.json'), input: transformInput(anySource) }),
  z.object({ id: workflowNodeId, type: z.literal('map.fanout'), input: fanoutInput }),
  agentRun(anyBindings, base),
  agentScheduler(base),
]);

const common = {
  name: workflowName.optional(),
  outputs: z.array(workflowOutput).max(limits.outputs).default([]),
  execution: workflowExecution.prefault({}),
};

/** A spec of either kind. */
export const workflowSpecSchema = z
  .union([
    z.object({
      kind: z.literal('workflow.v0'),
      ...common,
      nodes: z.array(nodeV0).min(1).max(limits.nodes),
      edges: z
        .array(workflowEdge.omit({ when: true }))
        .max(limits.edges)
        .default([]),
    }),
    z.object({
      kind: z.literal('workflow.v1'),
      ...common,
      inputs: z.array(workflowInput).max(limits.inputs).default([]),
      nodes: z.array(nodeV1).min(1).max(limits.nodes),
      edges: z
        .array(workflowEdge.extend({ when: edgeCondition.optional() }))
        .max(limits.edges)
        .default([]),
    }),
  ])
  .meta({ title: 'Workflow', description: 'A workflow spec, workflow.v0 or workflow.v1' });

/** JSON Schema (2020-12) of a workflow spec as its author writes it. */
export function workflowJsonSchema(): Record<string, unknown> {
  return z.toJSONSchema(workflowSpecSchema, { io: 'input', unrepresentable: 'any' }) as Record<string, unknown>;
}
