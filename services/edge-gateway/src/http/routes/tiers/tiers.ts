import {
  priceMigrationInputSchema,
  priceMigrationSchema,
  tierInputSchema,
  tierSchema,
  tierUpdateSchema,
} from '@tollgate/api/billing';
import { z } from 'zod';
import { readMarkup, requireProject } from '../../../auth/project-scope.js';
import { compareRecords } from '../../../domain/reports/compare-records.js';
import { defineRoute } from '../../exchange/route.js';
import { tierFields, tierJson, tierValues } from './tier-json.js';

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
