import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { listRunsQuery, listRunsResponse } from '@tollgate/api/runs';
import { nextCursor } from '@tollgate/api/values';
import { AppError } from '@tollgate/errors';
import { defineRoute } from '../../exchange/route.js';
import { summaryJson } from './run-json.js';

export const listRuns = defineRoute({
  method: 'GET',
  path: '/runs',
  tag: 'Runs',
  summary: 'List runs, newest first',
  operationId: 'listRuns',
  description:
    '`status` selects runs of one status, `customer_id` those of one customer, `agent` those with a node that runs the agent ' +
    '(a slug; runs that were started before agents were recorded are not among them). `from` and `to` bound their start.',
  auth: ['secret_key', 'customer'],
  query: listRunsQuery,
  success: { status: 200, schema: listRunsResponse },
  async handler({ query, call }, ctx) {
    const { limit, offset, status = '', customer_id: customerId = '' } = query;
    const { agent = '', from, to } = query;
    if (from !== undefined && to !== undefined && Date.parse(from) >= Date.parse(to)) {
      const message = 'must be before to';
      throw new AppError('VALIDATION_ERROR', `from: ${message}`, { fields: [{ field: 'from', message }] });
    }
    const range = { startedFrom: toTimestamp(from), startedBefore: toTimestamp(to) };
    const page = await ctx.clients.workflow.listRuns({ status, customerId, agent, ...range, limit, offset }, call);
    return { body: { runs: page.runs.map(summaryJson), ...nextCursor(offset, page.runs.length, page.hasMore) } };
  },
});

function toTimestamp(moment: string | undefined) {
  return moment === undefined ? undefined : timestampFromDate(new Date(moment));
}
