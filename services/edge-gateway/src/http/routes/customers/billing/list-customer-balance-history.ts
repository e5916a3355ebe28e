import { balanceHistorySchema } from '@tollgate/api/billing';
import { nextCursor, pageQuery } from '@tollgate/api/values';
import { defineRoute } from '../../../exchange/route.js';
import { customerParams } from '../params.js';
import { balanceEntryJson } from './balance-json.js';

export const listCustomerBalanceHistory = defineRoute({
  method: 'GET',
  path: '/customers/:id/balance/history',
  tag: 'Customers',
  summary: "List the transactions of a customer's wallet, newest first",
  operationId: 'listCustomerBalanceHistory',
  description: 'Top-ups, grants, charges and refunds, each with the balance after it.',
  auth: ['secret_key'],
  params: customerParams,
  query: pageQuery(50, 200),
  success: { status: 200, schema: balanceHistorySchema },
  handler: async ({ params, query, call }, ctx) => {
    const { entries, hasMore } = await ctx.clients.billing.listBalanceHistory(
      { customerId: params.id, ...query },
      call,
    );
    return { body: { entries: entries.map(balanceEntryJson), ...nextCursor(query.offset, entries.length, hasMore) } };
  },
});
