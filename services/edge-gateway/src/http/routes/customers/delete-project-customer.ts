import { revokeCustomer } from '../../../operations/revoke.js';
import { requireProject } from '../../project-scope.js';
import { defineRoute } from '../../route.js';
import { projectCustomerParams } from './params.js';

export const deleteProjectCustomer = defineRoute({
  method: 'DELETE',
  path: '/projects/:id/customers/:customer_id',
  tag: 'Customers',
  summary: 'Delete a customer (dashboard)',
  auth: ['owner'],
  params: projectCustomerParams,
  success: { status: 204 },
  audit: 'customer.deleted',
  handler: async (input, ctx) => {
    const principal = await requireProject(ctx, input, input.params.id);
    await ctx.clients.billing.deleteCustomer({ id: input.params.customer_id }, input.call.with({ principal }));
    await revokeCustomer(ctx, input.params.customer_id);
    return { status: 204 };
  },
});
