import { tierSchema } from '@tollgate/api/billing';
import { z } from 'zod';
import { defineRoute } from '../../exchange/route.js';
import { tierJson } from './tier-json.js';

export const getTier = defineRoute({
  method: 'GET',
  path: '/tiers/:id',
  tag: 'Tiers',
  summary: 'Get a tier',
  operationId: 'getTier',
  description: 'Returns the tier with its models and their prices.',
  auth: ['publishable_key', 'secret_key'],
  params: z.object({ id: z.string() }),
  success: { status: 200, schema: z.object({ tier: tierSchema }) },
  handler: async ({ params, call }, ctx) => {
    const { tier } = await ctx.clients.billing.getTier({ by: { case: 'id', value: params.id } }, call);
    return { body: { tier: tier && tierJson(tier) } };
  },
});
