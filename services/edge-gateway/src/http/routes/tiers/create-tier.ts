import { tierInputSchema, tierSchema } from '@tollgate/api/billing';
import { z } from 'zod';
import { readMarkup, requireProject } from '../../../auth/project-scope.js';
import { defineRoute } from '../../exchange/route.js';
import { tierJson } from './tier-json.js';
import { tierValues } from './tier-values.js';

export const createTier = defineRoute({
  method: 'POST',
  path: '/projects/:id/tiers',
  tag: 'Tiers',
  summary: 'Create a tier (dashboard)',
  operationId: 'createTier',
  description:
    'A tier names the models that its customers may use, what they cost, and a spend limit. Prices that are left out follow the catalog and the markup of the project.',
  auth: ['owner'],
  params: z.object({ id: z.string() }),
  body: tierInputSchema,
  success: { status: 201, schema: z.object({ tier: tierSchema }) },
  refusals: [409],
  audit: 'tier.created',
  idempotent: true,
  handler: async (input, ctx) => {
    const principal = await requireProject(ctx, input, input.params.id);
    const values = tierValues(input.body, await readMarkup(ctx, principal));
    const { tier } = await ctx.clients.billing.createTier(values, input.call.with({ principal }));
    return { status: 201, body: { tier: tier && tierJson(tier) } };
  },
});
