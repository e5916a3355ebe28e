import { testToolHookResponse } from '@tollgate/api';
import { requireProject } from '../../exchange/project-scope.js';
import { defineRoute } from '../../exchange/route.js';
import { toolHookParams } from './params.js';

/** A hook that fails is an answer, not an error: it was asked, and this is how it went. */
export const testToolHook = defineRoute({
  method: 'POST',
  path: '/projects/:id/tool-hooks/:hook_id/test',
  tag: 'Tool hooks',
  summary: 'Ask the hook about a sample call now',
  auth: ['owner'],
  params: toolHookParams,
  success: { status: 200, schema: testToolHookResponse },
  errorShape: 'simple',
  // A hook has up to 60 s to answer.
  timeoutMs: 70_000,
  async handler(input, ctx) {
    const principal = await requireProject(ctx, input, input.params.id, 'tool hook');
    const result = await ctx.clients.toolHooks.testToolHook(
      { id: input.params.hook_id },
      input.call.with({ principal }),
    );
    return {
      body: {
        status: result.status,
        response_status: result.responseStatus ?? null,
        response_body: result.responseBody,
        latency_ms: result.latencyMs,
        error: result.error ?? null,
      },
    };
  },
});
