import { nextCursor, pageQuery } from '@tollgate/api/values';
import { requireProject } from '../../../exchange/project-scope.js';
import { defineRoute } from '../../../exchange/route.js';
import { envelopeJson } from '../customer-json.js';
import { customerListSchema } from '../list-customers.js';
import { projectParams } from '../params.js';

export const listProjectCustomers = defineRoute({
  method: 'GET',
  path: '/projects/:id/customers',
  tag: 'Customers',
  summary: "List a project's customers (dashboard)",
  operationId: 'listProjectCustomers',
  description: 'Returns the customers of one project of the owner, each with its subscription.',
  auth: ['owner'],
  params: projectParams,
  query: pageQuery(50, 200),
  success: { status: 200, schema: customerListSchema },
  handler: async (input, ctx) => {
    const { query } = input;
    const principal = await requireProject(ctx, input, input.params.id);
    const { customers, hasMore } = await ctx.clients.billing.listCustomers(query, input.call.with({ principal }));
    return { body: { customers: customers.map(envelopeJson), ...nextCursor(query.offset, customers.length, hasMore) } };
  },
});
