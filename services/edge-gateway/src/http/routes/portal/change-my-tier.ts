import { changeTierSchema, tierChangeSchema } from '@tollgate/api/billing';
import { defineRoute } from '../../exchange/route.js';
import { changedSubscriptionJson } from '../payments/payments-json.js';

export const changeMyTier = defineRoute({
  method: 'POST',
  path: '/customers/me/change-tier',
  tag: 'Customer self-service',
  summary: 'Move your subscription to another tier',
  operationId: 'changeMyTier',
  description: 'Upgrades take effect at once. A move to a free tier takes effect at the end of the paid period.',
  auth: ['customer'],
  body: changeTierSchema,
  success: { status: 200, schema: tierChangeSchema },
  refusals: [402, 404, 409],
  audit: 'subscription.updated',
  idempotent: true,
  handler: async ({ principal, body, call }, ctx) => {
    const req = { customerId: principal.customerId, tierCode: body.tier_code };
    const { subscription, action } = await ctx.clients.payments.changeTier(req, call);
    ctx.tierLimits.note(principal, subscription?.tierCode ?? '');
    const changes = [{ field: 'tier_code', after: body.tier_code }];
    const audited = { subjectId: principal.customerId, changes };
    return { body: { subscription: changedSubscriptionJson(subscription), action }, audited };
  },
});
