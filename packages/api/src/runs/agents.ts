import { z } from 'zod';
import { functionName, tool } from '../model-requests/responses.js';
import { pageQuery, queryInteger } from '../values/paging.js';
import { storableText } from '../values/text.js';
import { mcpServerName } from './workflow-spec.js';

/** Bounds of an agent's configuration. */
export const agentLimits = {
  slugLength: 128,
  nameLength: 255,
  descriptionLength: 4_096,
  systemLength: 262_144,
  tools: 128,
  fragments: 64,
  /** `tools` and `fragments` together, as compact JSON in UTF-8. */
  toolingBytes: 1_048_576,
  /** As compact JSON. */
  inputSchemaChars: 16_384,
  steps: 1_000,
  durationSec: 86_400,
  stepTimeoutSec: 3_600,
  toolRetries: 10,
} as const;

/** Defaults for settings that a client does not send. */
export const agentDefaults = {
  max_steps: 10,
  max_duration_sec: 300,
  step_timeout_sec: 60,
  tool_failure_policy: 'stop',
  /** With the policy `retry` only. */
  tool_retry_count: 1,
} as const;

/** URL-safe and free of `@` and `:`, so that it can be part of `slug@revision` and of an address. */
export const agentSlugSchema = z
  .string()
  .max(agentLimits.slugLength)
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]*$/,
    'must be URL-safe: letters, digits, "-", "_" and ".", beginning with a letter or digit',
  );

/** RFC 6901; empty = the whole document. */
const jsonPointerSchema = z
  .string()
  .regex(/^(?:\/(?:[^~/]|~[01])*)*$/, 'must be a JSON Pointer (empty, or beginning with "/")');

/**
 * One of the four forms: a definition, a definition whose execution goes to a hook, a fragment, or all tools that an MCP server
 * offers.
 */
export const toolRefSchema = z
  .object({
    definition: tool.optional(),
    hook_id: z.guid().optional(),
    fragment: z
      .object({
        ref: z.string().min(1),
        /** Fragment input → JSON Pointer into the tool's arguments. Without an entry an input is read from `/<name>`. */
        inputs: z.record(z.string(), jsonPointerSchema).optional(),
      })
      .optional(),
    mcp_server: mcpServerName.optional().describe('Name of an MCP server of the project, whose tools the agent gets'),
  })
  .superRefine((ref, context) => {
    const forms = [ref.definition, ref.fragment, ref.mcp_server].filter((form) => form !== undefined);
    if (forms.length !== 1) {
      context.addIssue({ code: 'custom', message: 'must have either "definition" or "fragment" or "mcp_server"' });
    } else if (ref.definition === undefined && ref.hook_id !== undefined) {
      context.addIssue({ code: 'custom', path: ['hook_id'], message: 'goes with "definition" only' });
    }
  });

/** A `workflow.v1` subgraph. Its nodes are checked by the compiler when a run is planned. */
export const fragmentSchema = z.looseObject({
  kind: z.literal('workflow.v1').optional(),
  inputs: z.array(z.looseObject({ name: z.string().min(1) })).optional(),
  nodes: z.array(z.looseObject({ id: z.string().min(1), type: z.string().min(1) })).min(1),
  outputs: z.array(z.looseObject({ name: z.string().min(1) })).min(1),
});

export const toolRefsSchema = z.array(toolRefSchema).max(agentLimits.tools);

/** By name; a fragment tool is offered to the model under this name. */
export const fragmentsSchema = z
  .record(functionName, fragmentSchema)
  .refine(
    (fragments) => Object.keys(fragments).length <= agentLimits.fragments,
    `at most ${agentLimits.fragments} fragments`,
  );

/** The JSON Schema of an agent's input. Clients of the Model Context Protocol reject other forms of these three members. */
export const agentInputSchema = z
  .looseObject({
    type: z.literal('object'),
    properties: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
    required: z.array(z.string()).optional(),
  })
  .refine(
    (schema) => JSON.stringify(schema).length <= agentLimits.inputSchemaChars,
    `may have at most ${agentLimits.inputSchemaChars} characters`,
  );

export const toolFailurePolicies = ['stop', 'continue', 'retry'] as const;

const nameSchema = storableText(agentLimits.nameLength).trim().min(1);
const wholeNumber = (min: number, max: number) => z.number().int().min(min).max(max);

/** Fields that have a default: `null` and absent mean the same on create; on update `null` returns to the default. */
const optionalFields = {
  description: storableText(agentLimits.descriptionLength).nullish(),
  system: storableText(agentLimits.systemLength).nullish(),
  model: storableText(255).nullish(),
  tools: toolRefsSchema.nullish(),
  fragments: fragmentsSchema.nullish(),
  /** Declares the input of the agent as a tool: its call sends the arguments as JSON. */
  input_schema: agentInputSchema.nullish(),
  max_steps: wholeNumber(1, agentLimits.steps).nullish(),
  max_duration_sec: wholeNumber(1, agentLimits.durationSec).nullish(),
  step_timeout_sec: wholeNumber(1, agentLimits.stepTimeoutSec).nullish(),
  tool_failure_policy: z.enum(toolFailurePolicies).nullish(),
  tool_retry_count: wholeNumber(0, agentLimits.toolRetries).nullish(),
};

/** `POST /projects/{id}/agents` */
export const createAgentBody = z.object({ name: nameSchema, slug: agentSlugSchema, ...optionalFields });

/** `PATCH /projects/{id}/agents/{slug}`: absent fields keep their values. `slug` may be sent, but not changed. */
export const updateAgentBody = z.object({
  name: nameSchema.optional(),
  slug: agentSlugSchema.optional(),
  ...optionalFields,
  /** The revision that the change is based on. If another revision is current, the change is a conflict. */
  expected_revision: wholeNumber(1, 2_147_483_647).optional(),
});

/** `GET /projects/{id}/agents/{slug}?revision=N` */
export const getAgentQuery = z.object({ revision: queryInteger(1, 2_147_483_647).optional() });

export const listAgentsQuery = pageQuery(50, 200);
export const listAgentVersionsQuery = pageQuery(50, 200);

/** Answer record: the agent itself. */
export const agentSchema = z.object({
  id: z.guid(),
  project_id: z.guid(),
  slug: z.string(),
  name: z.string(),
  description: z.string().optional(),
  current_revision: z.number().int(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});

/** Answer record: one immutable revision. */
export const agentVersionSchema = z.object({
  revision: z.number().int(),
  system: z.string().optional(),
  model: z.string().optional(),
  tools: z.array(toolRefSchema),
  fragments: z.record(z.string(), fragmentSchema).optional(),
  input_schema: agentInputSchema.optional(),
  max_steps: z.number().int(),
  max_duration_sec: z.number().int(),
  step_timeout_sec: z.number().int(),
  tool_failure_policy: z.enum(toolFailurePolicies),
  tool_retry_count: z.number().int().optional(),
  created_at: z.iso.datetime(),
});

export const agentSnapshotSchema = z.object({ agent: agentSchema, version: agentVersionSchema });
export const agentResponse = z.object({ agent: agentSnapshotSchema });
export const listAgentsResponse = z.object({
  agents: z.array(agentSnapshotSchema),
  next_cursor: z.string().optional(),
});
export const listAgentVersionsResponse = z.object({
  versions: z.array(agentVersionSchema),
  next_cursor: z.string().optional(),
});

/** A document that the agent's runs read before their first step. Without a customer it is the agent's own. */
export const agentMemorySchema = z.object({ customer_id: z.guid().optional(), content: z.string() });

/** `GET /projects/{id}/agents/{slug}/memory` */
export const agentMemoryQuery = z.object({ customer_id: z.guid().optional() });

/** `PUT /projects/{id}/agents/{slug}/memory`; an empty text forgets everything. */
export const agentMemoryBody = z.object({ content: z.string().max(32_768), customer_id: z.guid().optional() });

export const agentMemoryResponse = z.object({ memory: agentMemorySchema });

export type ToolRef = z.output<typeof toolRefSchema>;
export type AgentInputSchema = z.output<typeof agentInputSchema>;
export type Fragment = z.output<typeof fragmentSchema>;
export type ToolFailurePolicy = (typeof toolFailurePolicies)[number];
export type CreateAgentBody = z.output<typeof createAgentBody>;
export type UpdateAgentBody = z.output<typeof updateAgentBody>;
