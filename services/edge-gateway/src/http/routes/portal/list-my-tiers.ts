import { defineRoute } from '../../exchange/route.js';
import { tierListSchema } from '../tiers/list-tiers.js';
import { tierJson } from '../tiers/tier-json.js';

export const listMyTiers = defineRoute({
  method: 'GET',
  path: '/customers/me/tiers',
  tag: 'Customer self-service',
  summary: 'List the tiers of the project',
  operationId: 'listMyTiers',
  description: '`GET /customers/me/change-tier` previews a move to one of them.',
  auth: ['customer'],
  success: { status: 200, schema: tierListSchema },
  handler: async ({ call }, ctx) => {
    const { tiers } = await ctx.clients.billing.listTiers({}, call);
    return { body: { tiers: tiers.map(tierJson) } };
  },
});
