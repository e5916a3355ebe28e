import { randomUUID } from 'node:crypto';
import type { CreateTierRequest } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { lockUntilCommit, type Queryable } from '@tollgate/postgres';
import { ENDED_STATUSES } from '../../domain/payments/effective-subscription.js';
import type { PriceSync } from '../../domain/payments/price-sync.js';
import { literalList } from '../database.js';
import * as sql from '../gen/tiers/tiers.js';
import { toRecord } from '../record-fields.js';

export interface Tier {
  id: string;
  projectId: string;
  tierCode: string;
  displayName: string;
  billingMode: string;
  spendLimitCents: bigint | null;
  billingProvider: string | null;
  billingPriceRef: string | null;
  priceAmountCents: bigint | null;
  priceCurrency: string | null;
  priceInterval: string | null;
  trialDays: number | null;
  promoCreditsCents: bigint | null;
  customerTokenMaxTtlSeconds: bigint | null;
  rateLimitPerMinute: number | null;
  overageEnabled: boolean;
  isDefault: boolean;
  visibility: string;
  sortOrder: number;
  features: string[];
  planGroup: string | null;
  allowPromotionCodes: boolean;
  /** Null: Tollgate makes no price at the processor. */
  priceSync: PriceSync | null;
  priceSyncFailure: string | null;
  createdAt: Date;
  updatedAt: Date;
}

export interface TierModel {
  id: string;
  tierId: string;
  modelId: string;
  inputPricePerMillionCents: bigint;
  outputPricePerMillionCents: bigint;
  pricePerImageCents: bigint | null;
  /** Of input that the provider read from its cache; null: the input price. */
  cachedInputPricePerMillionCents: bigint | null;
  /** Added to the provider's fees for its tools; null: nothing. */
  feeMarkupPercentage: number | null;
  isDefault: boolean;
  createdAt: Date;
  updatedAt: Date;
}

export type TierRecord = Tier & { models: TierModel[] };

export interface TierModelValues {
  modelId: string;
  inputPricePerMillionCents: bigint;
  outputPricePerMillionCents: bigint;
  pricePerImageCents: bigint | null;
  /** Of input that the provider read from its cache; null: the input price. */
  cachedInputPricePerMillionCents: bigint | null;
  /** Added to the provider's fees for its tools; null: nothing. */
  feeMarkupPercentage: number | null;
  isDefault: boolean;
}

export const TIER_COLUMNS = `id, project_id, tier_code, display_name, billing_mode, spend_limit_cents, billing_provider,
  billing_price_ref, price_amount_cents, price_currency, price_interval, trial_days, promo_credits_cents,
  customer_token_max_ttl_seconds, rate_limit_per_minute, overage_enabled, is_default, visibility, sort_order, features,
  plan_group, allow_promotion_codes, price_sync, price_sync_failure, created_at, updated_at`.split(/,\s+/);

const SELECT_TIER = `SELECT ${TIER_COLUMNS.join(', ')} FROM tiers`;

export async function insertTier(tx: Queryable, id: string, projectId: string, tier: CreateTierRequest): Promise<void> {
  await sql.insertTierRow(tx, { ...toValues(tier), id, projectId });
}

export async function updateTier(tx: Queryable, id: string, tier: CreateTierRequest): Promise<void> {
  await sql.changeTierRow(tx, { ...toValues(tier), id });
}

/** Finds a tier of the project by its UUID. */
export async function findTierById(db: Queryable, projectId: string, id: string): Promise<TierRecord | undefined> {
  const { rows } = await db.query(`${SELECT_TIER} WHERE project_id = $1 AND id = $2`, [projectId, id]);
  return (await withModels(db, rows))[0];
}

export async function findTierByCode(
  db: Queryable,
  projectId: string,
  tierCode: string,
): Promise<TierRecord | undefined> {
  const { rows } = await db.query(`${SELECT_TIER} WHERE project_id = $1 AND tier_code = $2`, [projectId, tierCode]);
  return (await withModels(db, rows))[0];
}

/** Lists a project's tiers by their order, then oldest first. `offeredTo`: only tiers that every customer can choose, and one more. */
export async function listTierRecords(
  db: Queryable,
  projectId: string,
  limit: number,
  offeredTo?: { ownTierId: string | undefined },
): Promise<TierRecord[]> {
  const { rows } = await db.query(
    `${SELECT_TIER} WHERE project_id = $1 AND ($3 OR visibility = 'portal' OR id = $4)
     ORDER BY sort_order, created_at, id LIMIT $2`,
    [projectId, limit, offeredTo === undefined, offeredTo?.ownTierId ?? null],
  );
  return withModels(db, rows);
}

/** Locks a tier, so that an update is merged into the values it was read with. */
export async function lockTier(tx: Queryable, id: string): Promise<TierRecord | undefined> {
  const { rows } = await tx.query(`${SELECT_TIER} WHERE id = $1 FOR UPDATE`, [id]);
  return (await withModels(tx, rows))[0];
}

async function withModels(db: Queryable, rows: readonly object[]): Promise<TierRecord[]> {
  const tiers = rows.map((row) => toRecord<Tier>(row));
  if (tiers.length === 0) return [];
  const found = await db.query('SELECT * FROM tier_models WHERE tier_id = ANY($1::uuid[]) ORDER BY model_id', [
    tiers.map(({ id }) => id),
  ]);
  const records = new Map(tiers.map((tier) => [tier.id, { ...tier, models: [] as TierModel[] }]));
  for (const row of found.rows) {
    const model = toRecord<TierModel>(row);
    records.get(model.tierId)?.models.push(model);
  }
  return [...records.values()];
}

/** Prevents the tier's deletion until the transaction ends. Returns false if it was deleted. */
export async function keepTier(tx: Queryable, id: string): Promise<boolean> {
  const { rowCount } = await tx.query('SELECT 1 FROM tiers WHERE id = $1 FOR KEY SHARE', [id]);
  return rowCount === 1;
}

/** Locks the project's default tier, so that concurrent writers cannot set two defaults. */
export async function unsetDefaultTier(tx: Queryable, projectId: string): Promise<void> {
  await lockUntilCommit(tx, `default tier ${projectId}`);
  await tx.query('UPDATE tiers SET is_default = false, updated_at = now() WHERE project_id = $1 AND is_default', [
    projectId,
  ]);
}

/** Replaces the models; models that remain keep their id and creation time. */
export async function replaceTierModels(
  tx: Queryable,
  tierId: string,
  models: readonly TierModelValues[],
): Promise<void> {
  await tx.query('DELETE FROM tier_models WHERE tier_id = $1 AND NOT model_id = ANY($2)', [
    tierId,
    models.map((m) => m.modelId),
  ]);
  await sql.putTierModels(tx, {
    tierId,
    models: models.map((m) => ({
      id: randomUUID(),
      modelId: m.modelId,
      inputPrice: m.inputPricePerMillionCents,
      outputPrice: m.outputPricePerMillionCents,
      imagePrice: m.pricePerImageCents,
      cachedPrice: m.cachedInputPricePerMillionCents,
      feeMarkup: m.feeMarkupPercentage?.toString(),
      isDefault: m.isDefault,
    })),
  });
}

/** Returns true if the tier has an open purchase or a running subscription at the processor. */
export async function isTierOnSale(tx: Queryable, id: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    `SELECT 1 FROM payment_orders WHERE tier_id = $1 AND status = 'open'
     UNION ALL SELECT 1 FROM processor_subscriptions WHERE tier_id = $1 AND status NOT IN (${literalList(ENDED_STATUSES)})
     LIMIT 1`,
    [id],
  );
  return rowCount !== 0;
}

/** Deletes the tier. Returns false if it is the default tier. */
export async function deleteTierRow(tx: Queryable, id: string): Promise<boolean> {
  const { rowCount } = await tx.query('DELETE FROM tiers WHERE id = $1 AND NOT is_default', [id]);
  return rowCount === 1;
}

/** Absent texts are empty in the contract. */
function toValues(tier: CreateTierRequest) {
  return {
    ...tier,
    spendLimitCents: tier.spendLimitCents ?? null,
    billingProvider: tier.billingProvider || null,
    billingPriceRef: tier.billingPriceRef || null,
    priceAmountCents: tier.priceAmountCents ?? null,
    priceCurrency: tier.priceCurrency || null,
    priceInterval: tier.priceInterval || null,
    trialDays: tier.trialDays ?? null,
    promoCreditsCents: tier.promoCreditsCents ?? null,
    customerTokenMaxTtlSeconds: tier.customerTokenMaxTtlSeconds ?? null,
    rateLimitPerMinute: tier.rateLimitPerMinute ?? null,
    planGroup: tier.planGroup || null,
  };
}
