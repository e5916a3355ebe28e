import { revokeCustomer } from '../../../operations/revoke.js';
import { defineRoute } from '../../route.js';
import { customerParams } from './params.js';

export const deleteCustomer = defineRoute({
  method: 'DELETE',
  path: '/customers/:id',
  tag: 'Customers',
  summary: 'Delete a customer; a processor subscription is not cancelled',
  auth: ['secret_key'],
  params: customerParams,
  success: { status: 204 },
  audit: 'customer.deleted',
  handler: async ({ params, call }, ctx) => {
    await ctx.clients.billing.deleteCustomer({ id: params.id }, call);
    await revokeCustomer(ctx, params.id);
    return { status: 204 };
  },
});
