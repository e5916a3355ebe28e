import { customerChangeSchema, customerEnvelopeSchema } from '@tollgate/api/billing';
import { readMember } from '../../../domain/json-members.js';
import { defineRoute } from '../../exchange/route.js';
import { envelopeJson } from './customer-json.js';
import { customerParams } from './params.js';

export const updateCustomer = defineRoute({
  method: 'PATCH',
  path: '/customers/:id',
  tag: 'Customers',
  summary: "Change a customer's email or metadata",
  auth: ['secret_key'],
  params: customerParams,
  body: customerChangeSchema,
  success: { status: 200, schema: customerEnvelopeSchema },
  audit: 'customer.updated',
  handler: async ({ params, body, rawBody, call }, ctx) => {
    const change = {
      id: params.id,
      ...(body.email !== undefined && { email: body.email }),
      ...(body.metadata && { metadataJson: readMember(rawBody, 'metadata') }),
    };
    const { envelope } = await ctx.clients.billing.updateCustomer(change, call);
    return { body: envelopeJson(envelope) };
  },
});
