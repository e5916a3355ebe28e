import { claimCustomerSchema, customerEnvelopeSchema } from '@tollgate/api/billing';
import { PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { requireProjectInfo } from '../../exchange/project-scope.js';
import { defineRoute } from '../../exchange/route.js';
import { envelopeJson } from './customer-json.js';

/** Grants no credential (DECISIONS 3.1); a project can disable claims by publishable key. */
export const claimCustomer = defineRoute({
  method: 'POST',
  path: '/customers/claim',
  tag: 'Customers',
  summary: 'Link an external identity to the customer with this email',
  operationId: 'claimCustomer',
  description: 'Grants no credential. A project can disable claims by publishable key.',
  auth: ['secret_key', 'publishable_key'],
  body: claimCustomerSchema,
  success: { status: 200, schema: customerEnvelopeSchema },
  refusals: [409],
  handler: async ({ body, principal, call }, ctx) => {
    if (
      principal.kind === PrincipalKind.PUBLISHABLE_KEY &&
      !(await requireProjectInfo(ctx, principal)).publishableClaims
    ) {
      throw new AppError('FORBIDDEN', 'this project does not accept claims by publishable key');
    }
    const { envelope } = await ctx.clients.billing.claimCustomer(body, call);
    return { body: envelopeJson(envelope) };
  },
});
