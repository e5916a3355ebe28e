import { customerEnvelopeSchema, customerInputSchema } from '@tollgate/api/billing';
import { readMember } from '../../../domain/json-members.js';
import { defineRoute } from '../../exchange/route.js';
import { envelopeJson } from './customer-json.js';

export const createCustomer = defineRoute({
  method: 'POST',
  path: '/customers',
  tag: 'Customers',
  summary: 'Create a customer',
  operationId: 'createCustomer',
  description: '`external_id` is your own identifier of the customer, unique in the project.',
  auth: ['secret_key'],
  body: customerInputSchema,
  success: { status: 201, schema: customerEnvelopeSchema },
  refusals: [409],
  idempotent: true,
  handler: async ({ body, rawBody, call }, ctx) => {
    const { envelope } = await ctx.clients.billing.createCustomer(
      {
        externalId: body.external_id,
        email: body.email,
        ...(body.metadata && { metadataJson: readMember(rawBody, 'metadata') }),
      },
      call,
    );
    return { status: 201, body: envelopeJson(envelope) };
  },
});
