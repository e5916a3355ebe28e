import { customerEnvelopeSchema } from '@tollgate/api/billing';
import { defineRoute } from '../../exchange/route.js';
import { envelopeJson } from './customer-json.js';
import { customerParams } from './params.js';

export const getCustomer = defineRoute({
  method: 'GET',
  path: '/customers/:id',
  tag: 'Customers',
  summary: 'Get a customer',
  operationId: 'getCustomer',
  description: 'Returns the customer and its subscription.',
  auth: ['secret_key'],
  params: customerParams,
  success: { status: 200, schema: customerEnvelopeSchema },
  handler: async ({ params, call }, ctx) => {
    const { envelope } = await ctx.clients.billing.getCustomer({ by: { case: 'id', value: params.id } }, call);
    return { body: envelopeJson(envelope) };
  },
});
