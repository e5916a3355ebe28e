import { customerEnvelopeSchema } from '@tollgate/api/billing';
import { requireProject } from '../../../../auth/project-scope.js';
import { defineRoute } from '../../../exchange/route.js';
import { envelopeJson } from '../customer-json.js';
import { projectCustomerParams } from '../params.js';

export const getProjectCustomer = defineRoute({
  method: 'GET',
  path: '/projects/:id/customers/:customer_id',
  tag: 'Customers',
  summary: 'Get a customer (dashboard)',
  operationId: 'getProjectCustomer',
  description: 'Returns the customer and its subscription.',
  auth: ['owner'],
  params: projectCustomerParams,
  success: { status: 200, schema: customerEnvelopeSchema },
  handler: async (input, ctx) => {
    const principal = await requireProject(ctx, input, input.params.id);
    const by = { case: 'id' as const, value: input.params.customer_id };
    const { envelope } = await ctx.clients.billing.getCustomer({ by }, input.call.with({ principal }));
    return { body: envelopeJson(envelope) };
  },
});
