import { balanceHistorySchema } from '@tollgate/api/billing';
import { nextCursor, pageQuery } from '@tollgate/api/values';
import { defineRoute } from '../../../exchange/route.js';
import { balanceEntryJson } from '../billing/balance-json.js';

export const listMyBalanceHistory = defineRoute({
  method: 'GET',
  path: '/customers/me/balance/history',
  tag: 'Customer self-service',
  summary: 'List the transactions of your wallet, newest first',
  operationId: 'listMyBalanceHistory',
  description: 'Top-ups, grants, charges and refunds, each with the balance after it.',
  auth: ['customer'],
  query: pageQuery(50, 200),
  success: { status: 200, schema: balanceHistorySchema },
  refusals: [404],
  handler: async ({ principal, query, call }, ctx) => {
    const { entries, hasMore } = await ctx.clients.billing.listBalanceHistory(
      { customerId: principal.customerId, ...query },
      call,
    );
    return { body: { entries: entries.map(balanceEntryJson), ...nextCursor(query.offset, entries.length, hasMore) } };
  },
});
