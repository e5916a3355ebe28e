import { pendingToolsResponse, toolResultsBody, toolResultsResponse } from '@tollgate/api/runs';
import { defineRoute } from '../../exchange/route.js';
import { runParams } from './runs.js';

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

export const submitToolResults = defineRoute({
  method: 'POST',
  path: '/runs/:id/tool-results',
  tag: 'Runs',
  summary: 'Submit results for the tool calls of a waiting node',
  operationId: 'submitToolResults',
  description: 'Send all results of one step. The run continues when no call waits anymore.',
  auth: ['secret_key', 'customer'],
  params: runParams,
  body: toolResultsBody,
  bodyClass: 'documents',
  success: { status: 200, schema: toolResultsResponse },
  refusals: [409],
  async handler({ params, body, call }, ctx) {
    const { accepted, status } = await ctx.clients.workflow.submitToolResults(
      {
        runId: params.id.toLowerCase(),
        nodeId: body.node_id,
        step: body.step,
        holdId: body.request_id,
        results: body.results.map((result) => ({
          toolCallId: result.tool_call_id,
          name: result.name,
          output: result.output,
        })),
      },
      call,
    );
    return { body: { accepted, status } };
  },
});
