import { customerEnvelopeSchema, customerInputSchema } from '@tollgate/api/billing';
import { readMember } from '../../../domain/json-members.js';
import { defineRoute } from '../../exchange/route.js';
import { envelopeJson } from './customer-json.js';

/** Answers 201 when the external id is new, and 200 when its customer was updated. */
export const upsertCustomer = defineRoute({
  method: 'PUT',
  path: '/customers',
  tag: 'Customers',
  summary: 'Create or update a customer by external id',
  operationId: 'upsertCustomer',
  description: 'Answers 201 when the external id is new, and 200 when its customer was updated.',
  auth: ['secret_key'],
  body: customerInputSchema,
  success: { status: 200, schema: customerEnvelopeSchema },
  alsoAnswers: [{ status: 201, schema: customerEnvelopeSchema }],
  refusals: [409],
  handler: async ({ body, rawBody, call }, ctx) => {
    const { envelope, created } = await ctx.clients.billing.upsertCustomer(
      {
        externalId: body.external_id,
        email: body.email,
        ...(body.metadata && { metadataJson: readMember(rawBody, 'metadata') }),
      },
      call,
    );
    return { status: created ? 201 : 200, body: envelopeJson(envelope) };
  },
});
