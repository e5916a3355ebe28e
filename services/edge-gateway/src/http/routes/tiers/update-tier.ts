import { tierSchema, tierUpdateSchema } from '@tollgate/api/billing';
import { z } from 'zod';
import { readMarkup, requireProject } from '../../../auth/project-scope.js';
import { defineRoute } from '../../exchange/route.js';
import { tierFields, tierJson } from './tier-json.js';
import { tierValues } from './tier-values.js';

export const updateTier = defineRoute({
  method: 'PUT',
  path: '/projects/:id/tiers/:tier_id',
  tag: 'Tiers',
  summary: 'Update a tier; omitted fields keep their values (dashboard)',
  operationId: 'updateTier',
  description: 'Null removes an optional field.',
  auth: ['owner'],
  params: z.object({ id: z.string(), tier_id: z.string() }),
  body: tierUpdateSchema,
  success: { status: 200, schema: z.object({ tier: tierSchema }) },
  refusals: [409],
  audit: 'tier.updated',
  handler: async (input, ctx) => {
    const principal = await requireProject(ctx, input, input.params.id);
    const call = input.call.with({ principal });
    const given = Object.keys(input.body).filter((field) => input.body[field as keyof typeof input.body] !== undefined);
    const updateMask = given.map((field) => (field === 'group' ? 'plan_group' : field));
    const values = tierValues(input.body, await readMarkup(ctx, principal));
    const req = { id: input.params.tier_id, values, updateMask };
    const { tier: before } = await ctx.clients.billing.getTier(
      { by: { case: 'id', value: input.params.tier_id } },
      call,
    );
    const { tier } = await ctx.clients.billing.updateTier(req, call);
    const changes = before && tier && compareRecords(tierFields(before), tierFields(tier));
    return { body: { tier: tier && tierJson(tier) }, audited: { ...(changes && { changes }) } };
  },
});
