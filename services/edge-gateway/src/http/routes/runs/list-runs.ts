import { listRunsQuery, listRunsResponse } from '@tollgate/api/runs';
import { nextCursor } from '@tollgate/api/values';
import { defineRoute } from '../../exchange/route.js';
import { summaryJson } from './run-json.js';

export const listRuns = defineRoute({
  method: 'GET',
  path: '/runs',
  tag: 'Runs',
  summary: 'List runs, newest first',
  operationId: 'listRuns',
  description: '`status` selects runs of one status, `customer_id` those of one customer.',
  auth: ['secret_key', 'customer'],
  query: listRunsQuery,
  success: { status: 200, schema: listRunsResponse },
  async handler({ query, call }, ctx) {
    const { limit, offset, status = '', customer_id: customerId = '' } = query;
    const page = await ctx.clients.workflow.listRuns({ status, customerId, limit, offset }, call);
    return { body: { runs: page.runs.map(summaryJson), ...nextCursor(offset, page.runs.length, page.hasMore) } };
  },
});
