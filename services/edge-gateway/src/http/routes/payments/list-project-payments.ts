import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { paymentListQuery, paymentListSchema } from '@tollgate/api/billing';
import { z } from 'zod';
import { toCursor } from '../../../domain/reports/list-cursor.js';
import { requireProject } from '../../exchange/project-scope.js';
import { defineRoute } from '../../exchange/route.js';
import { requirePlace } from '../require-place.js';
import { paymentJson } from './payments-json.js';

export const listProjectPayments = defineRoute({
  method: 'GET',
  path: '/projects/:id/payments',
  tag: 'Payments',
  summary: "List the purchases of a project's customers, newest first",
  auth: ['owner', 'secret_key'],
  params: z.object({ id: z.string() }),
  query: paymentListQuery,
  success: { status: 200, schema: paymentListSchema },
  refusals: [404],
  async handler(input, ctx) {
    const { limit, cursor, customer_id: customerId = '', kind = '', status = '' } = input.query;
    const principal = await requireProject(ctx, input, input.params.id);
    const after = cursor === undefined ? undefined : requirePlace(cursor);
    const place = after && { afterCreatedAt: timestampFromDate(after.at), afterId: after.id };
    const page = { limit, customerId, kind, status, ...place };
    const { payments, hasMore } = await ctx.clients.payments.listProjectPayments(page, input.call.with({ principal }));
    const last = payments.at(-1);
    const next =
      hasMore && last?.createdAt ? { next_cursor: toCursor({ at: timestampDate(last.createdAt), id: last.id }) } : {};
    return { body: { payments: payments.map(paymentJson), ...next } };
  },
});
