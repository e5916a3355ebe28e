import { deleteCustomerQuery } from '@tollgate/api/billing';
import { revokeCustomer } from '../../../operations/tokens/revoke.js';
import { defineRoute } from '../../exchange/route.js';
import { customerParams } from './params.js';

export const deleteCustomer = defineRoute({
  method: 'DELETE',
  path: '/customers/:id',
  tag: 'Customers',
  summary:
    'Delete a customer; expires its open checkouts and forfeits its wallet; a processor subscription is canceled only with cancel_subscription=true',
  operationId: 'deleteCustomer',
  description: 'Tokens of the customer are refused within five seconds. Payments that arrive later are refunded.',
  auth: ['secret_key'],
  params: customerParams,
  query: deleteCustomerQuery,
  success: { status: 204 },
  audit: 'customer.deleted',
  handler: async ({ params, query, call }, ctx) => {
    const req = { id: params.id, cancelSubscription: query.cancel_subscription };
    await ctx.clients.billing.deleteCustomer(req, call);
    await revokeCustomer(ctx, params.id);
    return { status: 204 };
  },
});
