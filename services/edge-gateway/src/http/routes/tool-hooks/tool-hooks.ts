import {
  createToolHookBody,
  createToolHookResponse,
  listToolHookEventsQuery,
  listToolHookEventsResponse,
  listToolHooksQuery,
  listToolHooksResponse,
  testToolHookResponse,
  toolHookEventSchema,
  toolHookResponse,
  toolHookSchema,
  updateToolHookBody,
  updateToolHookResponse,
} from '@tollgate/api/hooks';
import { nextCursor } from '@tollgate/api/values';
import type { ToolHook, ToolHookEvent } from '@tollgate/contracts/hooks/v1/tool_hooks_pb.js';
import type { z } from 'zod';
import { endpointRoutes, testResultJson } from '../endpoint-routes.js';
import { toJson } from '../to-json.js';

export const { projectRoute, endpointRoute } = endpointRoutes({
  segment: 'tool-hooks',
  idParam: 'hook_id',
  tag: 'Tool hooks',
  name: 'tool hook',
});

export const listToolHooks = projectRoute({
  method: 'GET',
  summary: 'List tool hooks, oldest first, which is the order in which they are called',
  operationId: 'listToolHooks',
  description: 'Hooks are called in this order.',
  query: listToolHooksQuery,
  success: { status: 200, schema: listToolHooksResponse },
  async handler({ query: { limit, offset }, call }, { clients }) {
    const page = await clients.toolHooks.listToolHooks({ limit, offset }, call);
    const hooks = page.hooks.map(toolHookJson);
    return { body: { hooks, ...nextCursor(offset, hooks.length, page.hasMore) } };
  },
});

/** Returns the signing secret, which no later response contains. */
export const createToolHook = projectRoute({
  method: 'POST',
  summary: 'Create a tool hook',
  operationId: 'createToolHook',
  description:
    'The answer has the signing secret, only this once. The hook’s type decides whether it executes tools, or permits or changes their calls.',
  body: createToolHookBody,
  success: { status: 201, schema: createToolHookResponse },
  audit: 'tool_hook.created',
  async handler({ body, call }, { clients }) {
    const { hook, signingSecret } = await clients.toolHooks.createToolHook(
      {
        ...toolHookSettings(body),
        hookType: body.hook_type ?? '',
        endpointUrl: body.endpoint_url ?? '',
        failBehavior: body.fail_behavior ?? '',
        toolsAllowlist: body.tools_allowlist ?? [],
      },
      call,
    );
    return { status: 201, body: { hook: toolHookJson(hook), signing_secret: signingSecret } };
  },
});

export const getToolHook = endpointRoute({
  method: 'GET',
  summary: 'Get a tool hook',
  operationId: 'getToolHook',
  description: 'Returns the settings of a hook, without its secret.',
  success: { status: 200, schema: toolHookResponse },
  async handler({ id, call }, { clients }) {
    const { hook } = await clients.toolHooks.getToolHook({ id }, call);
    return { body: { hook: toolHookJson(hook) } };
  },
});

/** With `rotate_secret`, returns a new signing secret that replaces the old one at once. */
export const updateToolHook = endpointRoute({
  method: 'PUT',
  summary: 'Update a tool hook or rotate its secret',
  operationId: 'updateToolHook',
  description: 'Omitted fields keep their values. `rotate_secret` replaces the secret and returns the new one.',
  body: updateToolHookBody,
  success: { status: 200, schema: updateToolHookResponse },
  audit: 'tool_hook.updated',
  async handler({ id, body, call }, { clients }) {
    const { hook, signingSecret } = await clients.toolHooks.updateToolHook(
      {
        ...toolHookSettings(body),
        ...(typeof body.endpoint_url === 'string' && { endpointUrl: body.endpoint_url }),
        ...(typeof body.fail_behavior === 'string' && { failBehavior: body.fail_behavior }),
        ...(body.tools_allowlist && { toolsAllowlist: { tools: body.tools_allowlist } }),
        id,
        rotateSecret: body.rotate_secret ?? false,
      },
      call,
    );
    return { body: { hook: toolHookJson(hook), signing_secret: signingSecret || undefined } };
  },
});

export const deleteToolHook = endpointRoute({
  method: 'DELETE',
  summary: 'Delete a tool hook',
  operationId: 'deleteToolHook',
  description: 'Tools of agents that are bound to the hook fail from now on.',
  success: { status: 204 },
  audit: 'tool_hook.deleted',
  async handler({ id, call }, { clients }) {
    await clients.toolHooks.deleteToolHook({ id }, call);
    return { status: 204 };
  },
});

/** Answers 200 even for a hook that fails: the test was made, and the body has its result. */
export const testToolHook = endpointRoute({
  method: 'POST',
  action: '/test',
  summary: 'Send a sample call to the hook now',
  operationId: 'testToolHook',
  description: 'Returns the hook’s answer. No tool call depends on it.',
  success: { status: 200, schema: testToolHookResponse },
  // A hook has up to 60 s to answer.
  timeoutMs: 70_000,
  async handler({ id, call }, { clients }) {
    return { body: testResultJson(await clients.toolHooks.testToolHook({ id }, call)) };
  },
});

export const listToolHookEvents = endpointRoute({
  method: 'GET',
  action: '/events',
  summary: "List a tool hook's calls, newest first",
  operationId: 'listToolHookEvents',
  description: 'The log has status, latency and error of each call.',
  query: listToolHookEventsQuery,
  success: { status: 200, schema: listToolHookEventsResponse },
  async handler({ id, query: { limit, offset }, call }, { clients }) {
    const page = await clients.toolHooks.listToolHookEvents({ id, limit, offset }, call);
    const events = page.events.map(toolHookEventJson);
    return { body: { events, ...nextCursor(offset, events.length, page.hasMore) } };
  },
});

type Settings = Omit<z.output<typeof updateToolHookBody>, 'rotate_secret'>;

/** Converts the settings of a body for the service; null counts as absent. */
function toolHookSettings(body: Settings) {
  return {
    ...(typeof body.enabled === 'boolean' && { enabled: body.enabled }),
    ...(typeof body.timeout_ms === 'number' && { timeoutMs: body.timeout_ms }),
    ...(typeof body.allow_mutation === 'boolean' && { allowMutation: body.allow_mutation }),
  };
}

function toolHookJson(hook: ToolHook | undefined) {
  return toJson(toolHookSchema, hook!, {});
}

function toolHookEventJson(event: ToolHookEvent) {
  return toJson(toolHookEventSchema, event, { latency_ms: event.latencyMs ?? 0, error: event.error ?? null });
}
