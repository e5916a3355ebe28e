import { randomUUID } from 'node:crypto';
import type {
  CreateTierRequest,
  ListTiersRequest,
  UpdateTierRequest,
} from '@tollgate/contracts/billing/v1/billing_pb.js';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { FOREIGN_KEY_VIOLATION, hasCode, UNIQUE_VIOLATION, withTransaction } from '@tollgate/postgres';
import { isUuid } from '@tollgate/runtime/uuid';
import type { Context } from '../../context.js';
import { mergeTier } from '../../domain/merge-tier.js';
import { planPrice } from '../../domain/payments/price-sync.js';
import { tierFaults, withPaidDefaults } from '../../domain/tier-input.js';
import { tierModelPrices } from '../../domain/tier-model-prices.js';
import { readSubscriptionState } from '../../store/payments/customer-subscriptions.js';
import { setPriceSync } from '../../store/tiers/price-sync.js';
import {
  deleteTierRow,
  findTierByCode,
  findTierById,
  insertTier,
  isTierOnSale,
  listTierRecords,
  lockTier,
  replaceTierModels,
  type TierModelValues,
  type TierRecord,
  unsetDefaultTier,
  updateTier as updateTierRow,
} from '../../store/tiers/tiers.js';
import { namedPriceFault } from '../payments/checkouts/tier-price.js';
import { isPriceGone, sendTierPriceNow, toTakeoverAt } from '../payments/prices/send-tier-price.js';

export type { TierRecord };

type WriteContext = Pick<Context, 'clock' | 'logger' | 'models' | 'pool' | 'processor'>;

const LISTED_MAX = 1_000;
const IN_USE = 'the tier is in use and cannot be deleted';
const PRICE_FIELDS = new Set([
  'billing_provider',
  'billing_price_ref',
  'price_amount_cents',
  'price_currency',
  'price_interval',
]);
const NO_PRICES = {
  inputPricePerMillionCents: 0n,
  outputPricePerMillionCents: 0n,
  pricePerImageCents: null,
  cachedInputPricePerMillionCents: null,
  feeMarkupPercentage: null,
};

export async function createTier(ctx: WriteContext, principal: Principal, req: CreateTierRequest): Promise<TierRecord> {
  const defaults = { billingMode: req.billingMode || 'subscription', visibility: req.visibility || 'portal' };
  const values = withPaidDefaults({ ...req, ...defaults });
  const models = check(ctx, values);
  const plan = planPrice(undefined, values);
  if (plan.isNamed) await checkNamedPrice(ctx, values);
  const id = randomUUID();
  await withTransaction(ctx.pool, async (tx) => {
    if (values.isDefault) await unsetDefaultTier(tx, principal.projectId);
    await insertTier(tx, id, principal.projectId, values);
    await replaceTierModels(tx, id, models);
    await setPriceSync(tx, id, plan, dueFrom(ctx));
  }).catch(rethrow);
  if (plan.isDue) await sendTierPriceNow(ctx, id);
  return findTier(ctx, principal.projectId, { case: 'id', value: id });
}

/** Changes the fields named in `update_mask` and validates the resulting tier as a whole. */
export async function updateTier(
  ctx: WriteContext & Pick<Context, 'subjects'>,
  principal: Principal,
  req: UpdateTierRequest,
): Promise<TierRecord> {
  const stored = await findTier(ctx, principal.projectId, { case: 'id', value: req.id });
  const { id } = stored;
  let goneRef: string | null = null;
  if (req.updateMask.some((field) => PRICE_FIELDS.has(field))) {
    const values = withPaidDefaults(mergeTier(stored, req));
    check(ctx, values, stored, req);
    const { isNamed, priceSync, billingPriceRef } = planPrice(stored, values);
    if (isNamed) await checkNamedPrice(ctx, values);
    if (priceSync === 'ready' && (await isPriceGone(ctx, billingPriceRef))) goneRef = billingPriceRef;
  }
  const isDue = await withTransaction(ctx.pool, async (tx) => {
    const before = await lockTier(tx, id);
    if (!before) throw new AppError('NOT_FOUND', 'tier not found');
    const values = withPaidDefaults(mergeTier(before, req));
    const models = check(ctx, values, before, req);
    if (before.isDefault && !values.isDefault) throw new AppError('CONFLICT', 'make another tier the default first');
    if (values.isDefault && !before.isDefault) await unsetDefaultTier(tx, principal.projectId);
    const isGone = goneRef !== null && before.billingPriceRef === goneRef;
    const plan = planPrice(isGone ? { ...before, priceSync: 'failed' } : before, values);
    await updateTierRow(tx, id, { ...values, billingPriceRef: plan.billingPriceRef });
    if (req.updateMask.includes('models')) await replaceTierModels(tx, id, models);
    await setPriceSync(tx, id, plan, dueFrom(ctx));
    return plan.isDue;
  }).catch(rethrow);
  if (isDue) await sendTierPriceNow(ctx, id);
  ctx.subjects.dropProject(principal.projectId);
  return findTier(ctx, principal.projectId, { case: 'id', value: id });
}

export async function deleteTier(
  ctx: Pick<Context, 'pool' | 'subjects'>,
  principal: Principal,
  id: string,
): Promise<void> {
  const tier = await findTier(ctx, principal.projectId, { case: 'id', value: id });
  const isDeleted = await withTransaction(ctx.pool, async (tx) => {
    if (!(await lockTier(tx, tier.id))) throw new AppError('NOT_FOUND', 'tier not found');
    // The payer of an open checkout would buy a tier that does not exist. Orders lock their tier when they are opened.
    if (await isTierOnSale(tx, tier.id)) throw new AppError('CONFLICT', IN_USE);
    return deleteTierRow(tx, tier.id);
  }).catch(rethrow);
  if (!isDeleted)
    throw new AppError('CONFLICT', 'the default tier cannot be deleted; make another one the default first');
  ctx.subjects.dropProject(principal.projectId);
}

export async function findTier(
  ctx: Pick<Context, 'pool'>,
  projectId: string,
  by: { case: 'id' | 'tierCode' | undefined; value?: string },
): Promise<TierRecord> {
  const value = by.value ?? '';
  if (by.case !== 'tierCode' && !isUuid(value)) throw new AppError('INVALID_INPUT', 'tier id must be a UUID');
  const tier = await (by.case === 'tierCode' ? findTierByCode : findTierById)(ctx.pool, projectId, value);
  if (!tier) throw new AppError('NOT_FOUND', 'tier not found');
  return tier;
}

/** Lists all tiers of a project, or those that every customer can choose with the customer's own. */
export async function listTiers(
  ctx: Pick<Context, 'pool'>,
  projectId: string,
  req: Pick<ListTiersRequest, 'offeredOnly' | 'customerId'>,
): Promise<TierRecord[]> {
  if (!req.offeredOnly) return listTierRecords(ctx.pool, projectId, LISTED_MAX);
  const state = isUuid(req.customerId) ? await readSubscriptionState(ctx.pool, req.customerId) : undefined;
  return listTierRecords(ctx.pool, projectId, LISTED_MAX, { ownTierId: state?.tierId });
}

/** Without a processor, the price is made as soon as one is configured. */
function dueFrom({ clock, processor }: Pick<Context, 'clock' | 'processor'>): {
  at: Date;
  failure: string | undefined;
} {
  if (!processor) return { at: clock.now(), failure: 'card payments are not configured' };
  return { at: toTakeoverAt(clock.nowMs()), failure: undefined };
}

/** @throws AppError VALIDATION_ERROR if the price that the tier names cannot be its price */
async function checkNamedPrice(ctx: Pick<Context, 'processor'>, values: CreateTierRequest): Promise<void> {
  const message = await namedPriceFault(ctx, values);
  if (message === undefined) return;
  const fields = [{ field: 'billing_price_ref', message }];
  throw new AppError('VALIDATION_ERROR', `billing_price_ref ${message}`, { fields });
}

/**
 * Validates a tier and fills in model prices. An update checks only the models it names, because others may have left the
 * catalog. Refuses models without a price: they would be served for free.
 */
function check(
  ctx: Pick<Context, 'models'>,
  values: CreateTierRequest,
  before?: TierRecord,
  update?: UpdateTierRequest,
): TierModelValues[] {
  const faults = tierFaults(values);
  const markup = update ? (update.values?.markupPercentage ?? 0) : values.markupPercentage;
  const given = !update || update.updateMask.includes('models') ? values.models : [];
  const models = given.map((model, i) => {
    const known = ctx.models.find(model.modelId);
    if (!known) faults.push({ field: `models[${i}].model_id`, message: `unknown model: ${model.modelId}` });
    const stored = before?.models.find(({ modelId }) => modelId === known?.modelId);
    const prices = tierModelPrices(model, stored, known, markup);
    if (known && !prices)
      faults.push({ field: `models[${i}]`, message: `model ${model.modelId} has no price in the catalog; set one` });
    const modelId = known?.modelId ?? model.modelId;
    return { modelId, isDefault: model.isDefault, ...(prices ?? NO_PRICES) };
  });
  // Compares catalog ids, because a model can have several names.
  models.forEach(({ modelId }, i) => {
    if (models.findIndex((other) => other.modelId === modelId) < i)
      faults.push({ field: `models[${i}].model_id`, message: 'is listed twice' });
  });
  if (faults.length > 0)
    throw new AppError('VALIDATION_ERROR', `${faults[0]?.field} ${faults[0]?.message}`, { fields: faults });
  return models;
}

function rethrow(error: unknown): never {
  if (hasCode(error, UNIQUE_VIOLATION)) throw new AppError('CONFLICT', 'a tier with this tier_code exists');
  if (hasCode(error, FOREIGN_KEY_VIOLATION)) throw new AppError('CONFLICT', IN_USE);
  throw error;
}
