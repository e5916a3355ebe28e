import { tierSchema } from '@tollgate/api/billing';
import { z } from 'zod';
import { defineRoute } from '../../exchange/route.js';
import { tierJson } from './tier-json.js';

export const tierListSchema = z.object({ tiers: z.array(tierSchema) });

export const listTiers = defineRoute({
  method: 'GET',
  path: '/tiers',
  tag: 'Tiers',
  summary: "List the project's tiers",
  operationId: 'listTiers',
  description: 'Returns the plans that customers of the project can have.',
  auth: ['publishable_key', 'secret_key'],
  success: { status: 200, schema: tierListSchema },
  handler: async ({ call }, ctx) => {
    const { tiers } = await ctx.clients.billing.listTiers({}, call);
    return { body: { tiers: tiers.map(tierJson) } };
  },
});
