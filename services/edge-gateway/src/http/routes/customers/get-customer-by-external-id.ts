import { customerEnvelopeSchema } from '@tollgate/api/billing';
import { z } from 'zod';
import { defineRoute } from '../../exchange/route.js';
import { envelopeJson } from './customer-json.js';

export const getCustomerByExternalId = defineRoute({
  method: 'GET',
  path: '/customers/by-external-id/:external_id',
  tag: 'Customers',
  summary: "Get a customer by the owner's identifier",
  operationId: 'getCustomerByExternalId',
  description: 'Use it if your records have only your own identifier.',
  auth: ['secret_key'],
  params: z.object({ external_id: z.string() }),
  success: { status: 200, schema: customerEnvelopeSchema },
  handler: async ({ params, call }, ctx) => {
    const { envelope } = await ctx.clients.billing.getCustomer(
      { by: { case: 'externalId', value: params.external_id } },
      call,
    );
    return { body: envelopeJson(envelope) };
  },
});
