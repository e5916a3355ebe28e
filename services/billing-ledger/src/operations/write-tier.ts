import { randomUUID } from 'node:crypto';
import type {
  CreateTierRequest,
  TierModelInput,
  UpdateTierRequest,
} from '@tollgate/contracts/billing/v1/billing_pb.js';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError, type FieldError } from '@tollgate/errors';
import { withTransaction } from '@tollgate/postgres';
import type { Context } from '../context.js';
import { mergeTier } from '../domain/merge-tier.js';
import { tierFaults, withPaidDefaults } from '../domain/tier-input.js';
import {
  deleteTierRow,
  insertTier,
  isTierOnSale,
  lockTier,
  replaceTierModels,
  type TierModelValues,
  type TierRecord,
  unsetDefaultTier,
  updateTier as updateTierRow,
} from '../store/tiers.js';

export type { TierRecord };

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';
const IN_USE = 'the tier is in use and cannot be deleted';

export async function createTier(ctx: Context, principal: Principal, req: CreateTierRequest): Promise<TierRecord> {
  const values = withPaidDefaults({ ...req, billingMode: req.billingMode || 'subscription' });
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
  const { id } = await findTier(ctx, principal.projectId, { case: 'id', value: req.id });
  await withTransaction(ctx.pool, async (tx) => {
    const before = await lockTier(tx, id);
    if (!before) throw new AppError('NOT_FOUND', 'tier not found');
    const values = withPaidDefaults(mergeTier(before, req));
    const changesModels = req.updateMask.includes('models');
    // Models that stay may have left the catalog meanwhile.
    const models = check(ctx, values, changesModels);
    if (before.isDefault && !values.isDefault) throw new AppError('CONFLICT', 'make another tier the default first');
    if (values.isDefault && !before.isDefault) await unsetDefaultTier(tx, principal.projectId);
    await updateTierRow(tx, id, values);
    if (changesModels) await replaceTierModels(tx, id, models);
  }).catch(rethrow);
  ctx.subjects.dropProject(principal.projectId);
  return findTier(ctx, principal.projectId, { case: 'id', value: id });
}

export async function deleteTier(ctx: Context, principal: Principal, id: string): Promise<void> {
  const tier = await findTier(ctx, principal.projectId, { case: 'id', value: id });
  const isGone = await withTransaction(ctx.pool, async (tx) => {
    // Who pays at this moment would have bought nothing.
    if (await isTierOnSale(tx, tier.id)) throw new AppError('CONFLICT', IN_USE);
    return deleteTierRow(tx, tier.id);
  }).catch(rethrow);
  if (!isGone) throw new AppError('CONFLICT', 'the default tier cannot be deleted; make another one the default first');
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
function check(ctx: Context, values: CreateTierRequest, checksModels = true): TierModelValues[] {
  const faults = tierFaults(values);
  const models = (checksModels ? values.models : []).map((model, i) => priced(ctx, model, `models[${i}]`, faults));
  // By catalog id: a model has several names.
  models.forEach(({ modelId }, i) => {
    if (models.findIndex((other) => other.modelId === modelId) < i)
      faults.push({ field: `models[${i}].model_id`, message: 'is named twice' });
  });
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

function rethrow(error: unknown): never {
  const { code } = error as { code?: string };
  if (code === UNIQUE_VIOLATION) throw new AppError('CONFLICT', 'a tier with this tier_code exists');
  if (code === FOREIGN_KEY_VIOLATION) throw new AppError('CONFLICT', IN_USE);
  throw error;
}
