import { defineRoute } from '../../exchange/route.js';
import { tierListSchema } from '../tiers/list-tiers.js';
import { tierJson } from '../tiers/tier-json.js';

export const listMyTiers = defineRoute({
  method: 'GET',
  path: '/customers/me/tiers',
  tag: 'Customer self-service',
  summary: 'List the tiers that you can choose, and your own',
  operationId: 'listMyTiers',
  description: '`GET /customers/me/change-tier` previews a move to one of them.',
  auth: ['customer'],
  success: { status: 200, schema: tierListSchema },
  handler: async ({ call, principal }, ctx) => {
    const { tiers } = await ctx.clients.billing.listTiers(
      { offeredOnly: true, customerId: principal.customerId },
      call,
    );
    return { body: { tiers: tiers.map((tier) => ({ ...tierJson(tier), price_sync_failure: undefined })) } };
  },
});
