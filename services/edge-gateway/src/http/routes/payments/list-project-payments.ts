import { paymentListQuery, paymentListSchema } from '@tollgate/api/billing';
import { z } from 'zod';
import { requireProject } from '../../../auth/project-scope.js';
import { defineRoute } from '../../exchange/route.js';
import { paymentListJson, paymentPage, paymentTotalsJson } from './payments-json.js';

export const listProjectPayments = defineRoute({
  method: 'GET',
  path: '/projects/:id/payments',
  tag: 'Payments',
  summary: "List the payments of a project's customers, newest first",
  auth: ['owner', 'secret_key'],
  params: z.object({ id: z.string() }),
  query: paymentListQuery,
  success: { status: 200, schema: paymentListSchema },
  refusals: [404],
  async handler(input, ctx) {
    const { customer_id: customerId = '', totals: includeTotals = false } = input.query;
    const principal = await requireProject(ctx, input, input.params.id);
    const page = { ...paymentPage(input.query), customerId, includeTotals };
    const listed = await ctx.clients.payments.listProjectPayments(page, input.call.with({ principal }));
    return {
      body: { ...paymentListJson(listed), ...(includeTotals && { totals: listed.totals.map(paymentTotalsJson) }) },
    };
  },
});
