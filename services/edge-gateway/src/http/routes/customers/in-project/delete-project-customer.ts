import { deleteCustomerQuery } from '@tollgate/api/billing';
import { requireProject } from '../../../../auth/project-scope.js';
import { revokeCustomer } from '../../../../operations/tokens/revoke.js';
import { defineRoute } from '../../../exchange/route.js';
import { projectCustomerParams } from '../params.js';

export const deleteProjectCustomer = defineRoute({
  method: 'DELETE',
  path: '/projects/:id/customers/:customer_id',
  tag: 'Customers',
  summary: 'Delete a customer (dashboard)',
  operationId: 'deleteProjectCustomer',
  description:
    'Expires open checkouts and forfeits the wallet. A subscription at the payment processor is canceled only with `cancel_subscription=true`.',
  auth: ['owner'],
  params: projectCustomerParams,
  query: deleteCustomerQuery,
  success: { status: 204 },
  audit: 'customer.deleted',
  handler: async (input, ctx) => {
    const principal = await requireProject(ctx, input, input.params.id);
    const req = { id: input.params.customer_id, cancelSubscription: input.query.cancel_subscription };
    await ctx.clients.billing.deleteCustomer(req, input.call.with({ principal }));
    await revokeCustomer(ctx, input.params.customer_id);
    return { status: 204 };
  },
});
