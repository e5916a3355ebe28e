import { pendingToolsResponse } from '@tollgate/api/runs';
import { defineRoute } from '../../exchange/route.js';
import { runParams } from './params.js';

export const listPendingTools = defineRoute({
  method: 'GET',
  path: '/runs/:id/pending-tools',
  tag: 'Runs',
  summary: 'List tool calls that wait for results',
  operationId: 'listPendingToolCalls',
  description: 'Tools in client mode wait for results from the caller.',
  auth: ['secret_key', 'customer'],
  params: runParams,
  success: { status: 200, schema: pendingToolsResponse },
  async handler({ params, call }, ctx) {
    const { runId, pending } = await ctx.clients.workflow.listPendingTools({ runId: params.id.toLowerCase() }, call);
    return {
      body: {
        run_id: runId,
        pending: pending.map((node) => ({
          node_id: node.nodeId,
          step: node.step,
          request_id: node.holdId,
          tool_calls: node.toolCalls.map((it) => ({
            tool_call_id: it.toolCallId,
            name: it.name,
            arguments: it.arguments,
          })),
        })),
      },
    };
  },
});
