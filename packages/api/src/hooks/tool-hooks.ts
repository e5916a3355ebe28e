import { z } from 'zod';
import { pageQuery } from '../values/paging.js';

export const toolHookTypes = ['pre_tool_use', 'post_tool_use', 'tool_execute'] as const;
export const toolHookFailBehaviors = ['fail_closed', 'fail_open'] as const;
export const toolHookStatuses = ['success', 'blocked', 'timeout', 'error'] as const;

const TOOLS_MAX = 1_000;

/** Only JSON types are checked here; hooks-webhooks validates the values and reports faults by field. */
const settings = {
  endpoint_url: z.string().nullish().describe('https'),
  enabled: z.boolean().nullish(),
  timeout_ms: z.int().min(-2_147_483_648).max(2_147_483_647).nullish().describe('1 to 60000, default 5000'),
  fail_behavior: z
    .string()
    .nullish()
    .describe(`one of ${toolHookFailBehaviors.join(', ')}; default by type: post_tool_use opens, the others close`),
  tools_allowlist: z
    .array(z.string())
    .max(TOOLS_MAX)
    .nullish()
    .describe('names of the tools that the hook covers; empty = every tool; required for tool_execute'),
  allow_mutation: z.boolean().nullish().describe('only for post_tool_use: the hook may replace the result'),
};

/** `POST /projects/{id}/tool-hooks` */
export const createToolHookBody = z.object({
  hook_type: z
    .string()
    .nullish()
    .describe(`required; one of ${toolHookTypes.join(', ')}`),
  ...settings,
});

/** `PUT /projects/{id}/tool-hooks/{hook_id}`: absent fields keep their values. */
export const updateToolHookBody = z.object({ ...settings, rotate_secret: z.boolean().nullish() });

export const listToolHooksQuery = pageQuery(50, 200);

/** `GET /projects/{id}/tool-hooks/{hook_id}/events` */
export const listToolHookEventsQuery = pageQuery(50, 200);

/** Answer record of a tool hook. */
export const toolHookSchema = z.object({
  id: z.guid(),
  project_id: z.guid(),
  hook_type: z.enum(toolHookTypes),
  endpoint_url: z.string(),
  enabled: z.boolean(),
  timeout_ms: z.int(),
  fail_behavior: z.enum(toolHookFailBehaviors),
  tools_allowlist: z.array(z.string()),
  allow_mutation: z.boolean(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});

/** Answer record of one call of a hook. */
export const toolHookEventSchema = z.object({
  id: z.guid(),
  hook_config_id: z.guid(),
  request_id: z.string(),
  tool_call_id: z.string(),
  status: z.enum(toolHookStatuses),
  response_status: z.int().optional(),
  /** The start of the body. */
  response_body: z.string(),
  latency_ms: z.int(),
  error: z.string().nullable(),
  created_at: z.iso.datetime(),
});

export const toolHookResponse = z.object({ hook: toolHookSchema });
/** The secret is returned only when it is created: on create and on rotation. */
export const createToolHookResponse = z.object({ hook: toolHookSchema, signing_secret: z.string() });
export const updateToolHookResponse = z.object({ hook: toolHookSchema, signing_secret: z.string().optional() });
export const listToolHooksResponse = z.object({
  hooks: z.array(toolHookSchema),
  next_cursor: z.string().optional(),
});
export const listToolHookEventsResponse = z.object({
  events: z.array(toolHookEventSchema),
  next_cursor: z.string().optional(),
});
export const testToolHookResponse = z.object({
  status: z.enum(toolHookStatuses),
  response_status: z.int().nullable(),
  response_body: z.string(),
  latency_ms: z.int(),
  error: z.string().nullable(),
});
