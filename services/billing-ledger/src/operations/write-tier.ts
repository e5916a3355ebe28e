import { randomUUID } from 'node:crypto';
import { create } from '@bufbuild/protobuf';
import {
  type CreateTierRequest,
  CreateTierRequestSchema,
  type TierModelInput,
  type UpdateTierRequest,
} from '@tollgate/contracts/billing/v1/billing_pb.js';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError, type FieldError } from '@tollgate/errors';
import { withTransaction } from '@tollgate/postgres';
import type { Context } from '../context.js';
import { tierFaults } from '../domain/tier-input.js';
import type { Tier, TierModel } from '../store/generated/client.js';
import {
  deleteTierRow,
  insertTier,
  replaceTierModels,
  type TierModelValues,
  unsetDefaultTier,
  updateTier as updateTierRow,
} from '../store/tiers.js';

export type TierRecord = Tier & { models: TierModel[] };

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';

export async function createTier(ctx: Context, principal: Principal, req: CreateTierRequest): Promise<TierRecord> {
  const values = { ...req, billingMode: req.billingMode || 'subscription' };
  const models = check(ctx, values);
  const id = randomUUID();
  await withTransaction(ctx.pool, async (tx) => {
    if (values.isDefault) await unsetDefaultTier(tx, principal.projectId);
    await insertTier(tx, id, principal.projectId, values);
    await replaceTierModels(tx, id, models);
  }).catch(rethrow);
  return findTier(ctx, principal.projectId, { case: 'id', value: id });
}

/** The fields named in `update_mask` change, the rest stays; the whole is validated as it would be stored. */
export async function updateTier(ctx: Context, principal: Principal, req: UpdateTierRequest): Promise<TierRecord> {
  const before = await findTier(ctx, principal.projectId, { case: 'id', value: req.id });
  const values = merge(before, req);
  const models = check(ctx, values);
  if (before.isDefault && !values.isDefault) throw new AppError('CONFLICT', 'make another tier the default first');
  await withTransaction(ctx.pool, async (tx) => {
    if (values.isDefault && !before.isDefault) await unsetDefaultTier(tx, principal.projectId);
    await updateTierRow(tx, before.id, values);
    if (req.updateMask.includes('models')) await replaceTierModels(tx, before.id, models);
  }).catch(rethrow);
  ctx.subjects.dropProject(principal.projectId);
  return findTier(ctx, principal.projectId, { case: 'id', value: before.id });
}

export async function deleteTier(ctx: Context, principal: Principal, id: string): Promise<void> {
  const tier = await findTier(ctx, principal.projectId, { case: 'id', value: id });
  if (tier.isDefault)
    throw new AppError('CONFLICT', 'the default tier cannot be deleted; make another one the default first');
  await withTransaction(ctx.pool, (tx) => deleteTierRow(tx, tier.id)).catch(rethrow);
  ctx.subjects.dropProject(principal.projectId);
}

export async function findTier(
  ctx: Context,
  projectId: string,
  by: { case: 'id' | 'tierCode' | undefined; value?: string },
): Promise<TierRecord> {
  const value = by.value ?? '';
  if (by.case === 'id' && !UUID.test(value)) throw new AppError('INVALID_INPUT', 'tier id must be a UUID');
  const tier = await ctx.prisma.tier.findFirst({
    where: { projectId, ...(by.case === 'tierCode' ? { tierCode: value } : { id: value }) },
    include: { models: { orderBy: { modelId: 'asc' } } },
  });
  if (!tier) throw new AppError('NOT_FOUND', 'tier not found');
  return tier;
}

export function listTiers(ctx: Context, projectId: string): Promise<TierRecord[]> {
  return ctx.prisma.tier.findMany({
    where: { projectId },
    include: { models: { orderBy: { modelId: 'asc' } } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    take: 1_000,
  });
}

/** Validates and fills prices from the catalog; a model that stays without a price would be served free, so it is refused. */
function check(ctx: Context, values: CreateTierRequest): TierModelValues[] {
  const faults = tierFaults(values);
  const models = values.models.map((model, i) => priced(ctx, model, `models[${i}]`, faults));
  if (faults.length > 0)
    throw new AppError('VALIDATION_ERROR', `${faults[0]?.field} ${faults[0]?.message}`, { fields: faults });
  return models;
}

function priced(ctx: Context, model: TierModelInput, field: string, faults: FieldError[]): TierModelValues {
  const known = ctx.models.find(model.modelId);
  if (!known) faults.push({ field: `${field}.model_id`, message: `unknown model: ${model.modelId}` });
  const input =
    model.inputPricePerMillionCents ?? (known?.isPricedFor.tokens ? known.price.inputPerMillionCents : undefined);
  const output =
    model.outputPricePerMillionCents ?? (known?.isPricedFor.tokens ? known.price.outputPerMillionCents : undefined);
  const image = model.pricePerImageCents ?? (known?.isPricedFor.images ? known.price.perImageCents : undefined);
  if (known && image === undefined && (input === undefined || output === undefined)) {
    faults.push({ field, message: `model ${model.modelId} has no price in the catalog; give one` });
  }
  return {
    modelId: known?.modelId ?? model.modelId,
    inputPricePerMillionCents: input ?? 0n,
    outputPricePerMillionCents: output ?? 0n,
    pricePerImageCents: image ?? null,
    isDefault: model.isDefault,
  };
}

function merge(before: TierRecord, req: UpdateTierRequest): CreateTierRequest {
  const stored = create(CreateTierRequestSchema, {
    tierCode: before.tierCode,
    displayName: before.displayName,
    billingMode: before.billingMode,
    ...(before.spendLimitCents !== null && { spendLimitCents: before.spendLimitCents }),
    models: before.models.map((m) => ({
      modelId: m.modelId,
      isDefault: m.isDefault,
      inputPricePerMillionCents: m.inputPricePerMillionCents,
      outputPricePerMillionCents: m.outputPricePerMillionCents,
      ...(m.pricePerImageCents !== null && { pricePerImageCents: m.pricePerImageCents }),
    })),
    billingProvider: before.billingProvider ?? '',
    billingPriceRef: before.billingPriceRef ?? '',
    ...(before.priceAmountCents !== null && { priceAmountCents: before.priceAmountCents }),
    priceCurrency: before.priceCurrency ?? '',
    priceInterval: before.priceInterval ?? '',
    ...(before.trialDays !== null && { trialDays: before.trialDays }),
    ...(before.promoCreditsCents !== null && { promoCreditsCents: before.promoCreditsCents }),
    ...(before.customerTokenMaxTtlSeconds !== null && {
      customerTokenMaxTtlSeconds: before.customerTokenMaxTtlSeconds,
    }),
    ...(before.rateLimitPerMinute !== null && { rateLimitPerMinute: before.rateLimitPerMinute }),
    overageEnabled: before.overageEnabled,
    isDefault: before.isDefault,
  });
  const values: Record<string, unknown> = { ...stored };
  const given = (req.values ?? create(CreateTierRequestSchema)) as unknown as Record<string, unknown>;
  for (const field of req.updateMask) values[camelCase(field)] = given[camelCase(field)];
  return values as unknown as CreateTierRequest;
}

function camelCase(field: string): string {
  return field.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function rethrow(error: unknown): never {
  const { code } = error as { code?: string };
  if (code === UNIQUE_VIOLATION) throw new AppError('CONFLICT', 'a tier with this tier_code exists');
  if (code === FOREIGN_KEY_VIOLATION) throw new AppError('CONFLICT', 'the tier is in use and cannot be deleted');
  throw error;
}
