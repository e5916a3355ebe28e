import { customerEnvelopeSchema, customerInputSchema } from '@tollgate/api/billing';
import { requireProject } from '../../../../auth/project-scope.js';
import { readMember } from '../../../../domain/json-members.js';
import { defineRoute } from '../../../exchange/route.js';
import { envelopeJson } from '../customer-json.js';
import { projectParams } from '../params.js';

export const createProjectCustomer = defineRoute({
  method: 'POST',
  path: '/projects/:id/customers',
  tag: 'Customers',
  summary: 'Create a customer (dashboard)',
  operationId: 'createProjectCustomer',
  description: '`external_id` is your own identifier of the customer, unique in the project.',
  auth: ['owner'],
  params: projectParams,
  body: customerInputSchema,
  success: { status: 201, schema: customerEnvelopeSchema },
  refusals: [409],
  idempotent: true,
  handler: async (input, ctx) => {
    const { body, rawBody } = input;
    const principal = await requireProject(ctx, input, input.params.id);
    const { envelope } = await ctx.clients.billing.createCustomer(
      {
        externalId: body.external_id,
        email: body.email,
        ...(body.metadata && { metadataJson: readMember(rawBody, 'metadata') }),
      },
      input.call.with({ principal }),
    );
    return { status: 201, body: envelopeJson(envelope) };
  },
});
