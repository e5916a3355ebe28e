import { priceMigrationInputSchema, priceMigrationSchema } from '@tollgate/api/billing';
import { z } from 'zod';
import { requireProject } from '../../../auth/project-scope.js';
import { defineRoute } from '../../exchange/route.js';

export const migrateTierPrice = defineRoute({
  method: 'POST',
  path: '/projects/:id/tiers/:tier_id/migrate-price',
  tag: 'Tiers',
  summary: "Move a tier's subscribers to its present price (dashboard)",
  operationId: 'migrateTierPrice',
  description:
    'Subscriptions keep their price when their tier gets another one. This moves them with their next renewal; `preview: true` only counts them. Subscriptions in another currency or interval, and those that are about to end, stay as they are.',
  auth: ['owner'],
  params: z.object({ id: z.string(), tier_id: z.string() }),
  body: priceMigrationInputSchema,
  success: { status: 200, schema: priceMigrationSchema },
  refusals: [404, 409],
  audit: 'tier.price_migrated',
  idempotent: true,
  handler: async (input, ctx) => {
    const principal = await requireProject(ctx, input, input.params.id);
    const { preview } = input.body;
    const req = { tierId: input.params.tier_id, preview };
    const found = await ctx.clients.payments.migrateTierPrice(req, input.call.with({ principal }));
    return {
      audited: preview ? false : {},
      body: {
        preview,
        subscriptions: Number(found.subscriptions),
        before_cents: Number(found.beforeCents),
        after_cents: Number(found.afterCents),
        currency: found.currency,
        interval: found.interval,
      },
    };
  },
});
