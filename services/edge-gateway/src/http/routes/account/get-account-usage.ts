import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { accountUsageQuerySchema, accountUsageSchema } from '@tollgate/api/identity';
import { nextCursor } from '@tollgate/api/values';
import { toReportNumber } from '@tollgate/money';
import { isLimitedToProject } from '../../../auth/project-scope.js';
import { defineRoute } from '../../exchange/route.js';

const at = (day: string | undefined) => (day === undefined ? undefined : timestampFromDate(new Date(day)));

export const getAccountUsage = defineRoute({
  method: 'GET',
  path: '/account/usage',
  tag: 'Account',
  summary: "Get the usage of all the owner's projects by day, model, customer or key",
  operationId: 'getAccountUsage',
  description:
    '`from` is inclusive and `to` is exclusive. Times are dates or RFC 3339. A member who belongs to another account, and a key that such a member created or rotated, gets the usage of the project alone.',
  auth: ['owner', 'secret_key'],
  query: accountUsageQuerySchema,
  success: { status: 200, schema: accountUsageSchema },
  handler: async ({ query, call, principal }, ctx) => {
    const req = {
      from: at(query.from),
      to: at(query.to),
      groupBy: query.group_by,
      limit: query.limit,
      offset: query.offset,
      projectId: (await isLimitedToProject(ctx, principal)) ? principal.projectId : '',
    };
    const usage = await ctx.clients.billing.getAccountUsage(req, call);
    return {
      body: {
        usage: usage.rows.map((row) => ({
          group: row.group,
          requests: toReportNumber(row.requests),
          input_tokens: toReportNumber(row.inputTokens),
          output_tokens: toReportNumber(row.outputTokens),
          images: toReportNumber(row.images),
          customer_microcents: toReportNumber(row.customerMicrocents),
          provider_microcents: toReportNumber(row.providerMicrocents),
        })),
        overrun_microcents: toReportNumber(usage.overrunMicrocents),
        unreconciled_microcents: toReportNumber(usage.unreconciledMicrocents),
        forfeited_microcents: toReportNumber(usage.forfeitedMicrocents),
        written_off_microcents: toReportNumber(usage.writtenOffMicrocents),
        ...nextCursor(query.offset, usage.rows.length, usage.hasMore),
      },
    };
  },
});
