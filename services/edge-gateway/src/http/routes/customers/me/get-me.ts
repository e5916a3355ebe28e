import { customerEnvelopeSchema, tierSchema } from '@tollgate/api/billing';
import { defineRoute } from '../../../exchange/route.js';
import { tierJson } from '../../tiers/tier-json.js';
import { envelopeJson } from '../customer-json.js';

export const getMe = defineRoute({
  method: 'GET',
  path: '/customers/me',
  tag: 'Customer self-service',
  summary: 'Get your profile, subscription and tier',
  operationId: 'getMe',
  description: 'Returns the customer of the token, its subscription and its tier.',
  auth: ['customer'],
  success: { status: 200, schema: customerEnvelopeSchema.extend({ tier: tierSchema.nullable() }) },
  refusals: [404],
  handler: async ({ principal, call }, ctx) => {
    const { envelope } = await ctx.clients.billing.getCustomer(
      { by: { case: 'id', value: principal.customerId } },
      call,
    );
    const tierId = envelope?.subscription?.tierId;
    const tier = tierId
      ? (await ctx.clients.billing.getTier({ by: { case: 'id', value: tierId } }, call)).tier
      : undefined;
    return { body: { ...envelopeJson(envelope), tier: tier ? tierJson(tier) : null } };
  },
});
