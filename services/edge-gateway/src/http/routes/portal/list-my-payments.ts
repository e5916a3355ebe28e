import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { myPaymentListQuery, paymentListSchema } from '@tollgate/api/billing';
import { toCursor } from '../../../domain/reports/list-cursor.js';
import { defineRoute } from '../../exchange/route.js';
import { paymentJson } from '../payments/payments-json.js';
import { requirePlace } from '../require-place.js';

export const listMyPayments = defineRoute({
  method: 'GET',
  path: '/customers/me/payments',
  tag: 'Customer self-service',
  summary: 'List your purchases, newest first',
  operationId: 'listMyPayments',
  description: 'Top-ups of your wallet and purchases of tiers.',
  auth: ['customer'],
  query: myPaymentListQuery,
  success: { status: 200, schema: paymentListSchema },
  handler: async ({ query: { limit, cursor }, principal: { customerId }, call }, ctx) => {
    const after = cursor === undefined ? undefined : requirePlace(cursor);
    const place = after && { afterCreatedAt: timestampFromDate(after.at), afterId: after.id };
    const page = { limit, customerId, kind: '', status: '', ...place };
    const { payments, hasMore } = await ctx.clients.payments.listProjectPayments(page, call);
    const last = payments.at(-1);
    const next =
      hasMore && last?.createdAt ? { next_cursor: toCursor({ at: timestampDate(last.createdAt), id: last.id }) } : {};
    return { body: { payments: payments.map(paymentJson), ...next } };
  },
});
