import { listRunStepsQuery, listRunStepsResponse } from '@tollgate/api/runs';
import { nextCursor } from '@tollgate/api/values';
import { defineRoute } from '../../exchange/route.js';
import { runParams } from './params.js';
import { stepJson } from './step-json.js';

export const listRunSteps = defineRoute({
  method: 'GET',
  path: '/runs/:id/steps',
  tag: 'Runs',
  summary: 'List the model calls of a run with their requests, answers and tools',
  operationId: 'listRunSteps',
  description: 'For debugging and audits. Retried attempts are listed too.',
  auth: ['secret_key', 'customer'],
  params: runParams,
  query: listRunStepsQuery,
  success: { status: 200, schema: listRunStepsResponse },
  async handler({ params, query, call }, ctx) {
    const { limit, offset } = query;
    const page = await ctx.clients.workflow.listRunSteps({ runId: params.id.toLowerCase(), limit, offset }, call);
    return { body: { steps: page.steps.map(stepJson), ...nextCursor(offset, page.steps.length, page.hasMore) } };
  },
});
