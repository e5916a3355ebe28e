import { z } from 'zod';
import { requireProject } from '../../../auth/project-scope.js';
import { defineRoute } from '../../exchange/route.js';
import { tierListSchema } from './list-tiers.js';
import { tierJson } from './tier-json.js';

export const listProjectTiers = defineRoute({
  method: 'GET',
  path: '/projects/:id/tiers',
  tag: 'Tiers',
  summary: "List a project's tiers (dashboard)",
  operationId: 'listProjectTiers',
  description: 'Returns the plans that customers of the project can have.',
  auth: ['owner'],
  params: z.object({ id: z.string() }),
  success: { status: 200, schema: tierListSchema },
  handler: async (input, ctx) => {
    const principal = await requireProject(ctx, input, input.params.id);
    const { tiers } = await ctx.clients.billing.listTiers({}, input.call.with({ principal }));
    return { body: { tiers: tiers.map(tierJson) } };
  },
});
