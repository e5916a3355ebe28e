import { z } from 'zod';
import { requireProject } from '../../../auth/project-scope.js';
import { defineRoute } from '../../exchange/route.js';

export const deleteTier = defineRoute({
  method: 'DELETE',
  path: '/projects/:id/tiers/:tier_id',
  tag: 'Tiers',
  summary: 'Delete a tier without subscribers (dashboard)',
  operationId: 'deleteTier',
  description: 'A tier with subscribers cannot be deleted (409).',
  auth: ['owner'],
  params: z.object({ id: z.string(), tier_id: z.string() }),
  success: { status: 204 },
  refusals: [409],
  audit: 'tier.deleted',
  handler: async (input, ctx) => {
    const principal = await requireProject(ctx, input, input.params.id);
    await ctx.clients.billing.deleteTier({ id: input.params.tier_id }, input.call.with({ principal }));
    return { status: 204 };
  },
});
