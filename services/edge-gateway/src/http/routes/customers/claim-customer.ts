import { claimCustomerSchema, claimedCustomerSchema } from '@tollgate/api/billing';
import { PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { requireProjectInfo } from '../../../auth/project-scope.js';
import { defineRoute } from '../../exchange/route.js';
import { envelopeJson } from './customer-json.js';

/** Grants no credential (DECISIONS 3.1); a project can disable claims by publishable key. */
export const claimCustomer = defineRoute({
  method: 'POST',
  path: '/customers/claim',
  tag: 'Customers',
  summary: 'Link an external identity to the customer with this email',
  operationId: 'claimCustomer',
  description:
    'Grants no credential. A project can disable claims by publishable key, which get the customer without its `metadata`.',
  auth: ['secret_key', 'publishable_key'],
  body: claimCustomerSchema,
  success: { status: 200, schema: claimedCustomerSchema },
  refusals: [409],
  handler: async ({ body, principal, call }, ctx) => {
    const isPublishable = principal.kind === PrincipalKind.PUBLISHABLE_KEY;
    if (isPublishable && !(await requireProjectInfo(ctx, principal)).publishableClaims)
      throw new AppError('FORBIDDEN', 'this project does not accept claims by publishable key');
    const claimed = envelopeJson((await ctx.clients.billing.claimCustomer(body, call)).envelope);
    if (!isPublishable || !claimed.customer) return { body: claimed };
    // Knowing an email is enough to claim; the owner's notes are for the owner's backend.
    const { metadata: _private, ...customer } = claimed.customer;
    return { body: { ...claimed, customer } };
  },
});
