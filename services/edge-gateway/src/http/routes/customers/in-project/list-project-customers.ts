import { customerListQuery, customerListSchema } from '@tollgate/api/billing';
import { requireProject } from '../../../../auth/project-scope.js';
import { defineRoute } from '../../../exchange/route.js';
import { projectParams } from '../params.js';
import { readCustomerPage } from '../read-customer-page.js';

export const listProjectCustomers = defineRoute({
  method: 'GET',
  path: '/projects/:id/customers',
  tag: 'Customers',
  summary: "List a project's customers, oldest first, or search them (dashboard)",
  operationId: 'listProjectCustomers',
  description: 'Returns the customers of one project of the owner, each with its subscription.',
  auth: ['owner'],
  params: projectParams,
  query: customerListQuery,
  success: { status: 200, schema: customerListSchema },
  handler: async (input, ctx) => {
    const principal = await requireProject(ctx, input, input.params.id);
    return readCustomerPage(ctx, input.query, input.call.with({ principal }));
  },
});
