import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Catalog } from '@tollgate/catalog';
import type {
  CustomerEnvelopeSchema,
  CustomerSchema,
  GetStatementResponseSchema,
  ListCustomersResponseSchema,
  ListUnchargedUsageResponseSchema,
  SubscriptionSchema,
  TierModelSchema,
  TierSchema,
} from '@tollgate/contracts/billing/v1/billing_pb.js';
import { writeExactJson } from '@tollgate/runtime';
import { isEnded } from '../domain/payments/effective-subscription.js';
import type { CustomerList } from '../operations/customers/list-customers.js';
import type { readStatement } from '../operations/reports/read-statement.js';
import type { TierRecord } from '../operations/tiers/write-tier.js';
import type { CustomerRecord } from '../store/customers/customer-records.js';
import type { UnchargedRow } from '../store/reports/uncharged-usage.js';
import type { TierModel } from '../store/tiers/tiers.js';

export function customerToProto(customer: CustomerRecord): MessageInitShape<typeof CustomerSchema> {
  return {
    id: customer.id,
    projectId: customer.projectId,
    externalId: customer.externalId,
    email: customer.email,
    metadataJson: writeExactJson(customer.metadata),
    createdAt: timestampFromDate(customer.createdAt),
    updatedAt: timestampFromDate(customer.updatedAt),
    ...(customer.blockedAt && { blockedAt: timestampFromDate(customer.blockedAt) }),
  };
}

export function envelopeToProto(customer: CustomerRecord): MessageInitShape<typeof CustomerEnvelopeSchema> {
  return {
    customer: customerToProto(customer),
    ...(customer.subscription && { subscription: subscriptionToProto(customer.subscription) }),
  };
}

export function customerPageToProto({
  customers,
  hasMore,
  total,
}: CustomerList): MessageInitShape<typeof ListCustomersResponseSchema> {
  return { customers: customers.map(envelopeToProto), hasMore, ...(total !== undefined && { total }) };
}

export function subscriptionToProto(
  subscription: NonNullable<CustomerRecord['subscription']>,
): MessageInitShape<typeof SubscriptionSchema> {
  const { tier, price } = subscription;
  return {
    id: subscription.id,
    projectId: subscription.projectId,
    customerId: subscription.customerId,
    tierId: subscription.tierId,
    tierCode: tier.tierCode,
    tierDisplayName: tier.displayName,
    ...(price.amountCents !== null && { priceAmountCents: price.amountCents }),
    priceCurrency: price.currency ?? '',
    priceInterval: price.interval ?? '',
    billingProvider: subscription.billingProvider ?? '',
    billingCustomerId: subscription.billingCustomerId ?? '',
    billingSubscriptionId: subscription.billingSubscriptionId ?? '',
    subscriptionStatus: subscription.subscriptionStatus,
    currentPeriodStart: timestampFromDate(subscription.currentPeriodStart),
    currentPeriodEnd: timestampFromDate(subscription.currentPeriodEnd),
    ...(subscription.cancelAt &&
      !isEnded(subscription.subscriptionStatus) && { cancelAt: timestampFromDate(subscription.cancelAt) }),
    createdAt: timestampFromDate(subscription.createdAt),
    updatedAt: timestampFromDate(subscription.updatedAt),
  };
}

export function tierToProto(tier: TierRecord, catalog: Catalog): MessageInitShape<typeof TierSchema> {
  return {
    id: tier.id,
    projectId: tier.projectId,
    tierCode: tier.tierCode,
    displayName: tier.displayName,
    billingMode: tier.billingMode,
    ...(tier.spendLimitCents !== null && { spendLimitCents: tier.spendLimitCents }),
    models: tier.models.map((model) => tierModelToProto(model, catalog)),
    billingProvider: tier.billingProvider ?? '',
    billingPriceRef: tier.billingPriceRef ?? '',
    ...(tier.priceAmountCents !== null && { priceAmountCents: tier.priceAmountCents }),
    priceCurrency: tier.priceCurrency ?? '',
    priceInterval: tier.priceInterval ?? '',
    ...(tier.trialDays !== null && { trialDays: tier.trialDays }),
    ...(tier.promoCreditsCents !== null && { promoCreditsCents: tier.promoCreditsCents }),
    ...(tier.customerTokenMaxTtlSeconds !== null && { customerTokenMaxTtlSeconds: tier.customerTokenMaxTtlSeconds }),
    ...(tier.rateLimitPerMinute !== null && { rateLimitPerMinute: tier.rateLimitPerMinute }),
    overageEnabled: tier.overageEnabled,
    isDefault: tier.isDefault,
    visibility: tier.visibility,
    sortOrder: tier.sortOrder,
    features: tier.features,
    planGroup: tier.planGroup ?? '',
    allowPromotionCodes: tier.allowPromotionCodes,
    priceSync: tier.priceSync ?? '',
    priceSyncFailure: tier.priceSyncFailure ?? '',
    createdAt: timestampFromDate(tier.createdAt),
    updatedAt: timestampFromDate(tier.updatedAt),
  };
}

/** Combines the catalog's current data of the model with the tier's prices. */
function tierModelToProto(model: TierModel, catalog: Catalog): MessageInitShape<typeof TierModelSchema> {
  const known = catalog.find(model.modelId);
  return {
    id: model.id,
    tierId: model.tierId,
    modelId: model.modelId,
    modelDisplayName: known?.display_name ?? model.modelId,
    description: known?.description ?? '',
    capabilities: [...(known?.capabilities ?? [])],
    contextWindow: known?.context_window ?? 0,
    maxOutputTokens: known?.max_output_tokens ?? 0,
    // A model that is no longer in the catalog cannot be called.
    deprecated: known?.deprecated ?? true,
    inputPricePerMillionCents: model.inputPricePerMillionCents,
    outputPricePerMillionCents: model.outputPricePerMillionCents,
    ...(model.pricePerImageCents !== null && { pricePerImageCents: model.pricePerImageCents }),
    ...(model.cachedInputPricePerMillionCents !== null && {
      cachedInputPricePerMillionCents: model.cachedInputPricePerMillionCents,
    }),
    feeMarkupPercentage: model.feeMarkupPercentage ?? 0,
    isDefault: model.isDefault,
    createdAt: timestampFromDate(model.createdAt),
    updatedAt: timestampFromDate(model.updatedAt),
  };
}

export function unchargedPageToProto(page: {
  rows: readonly UnchargedRow[];
  hasMore: boolean;
}): MessageInitShape<typeof ListUnchargedUsageResponseSchema> {
  const usage = page.rows.map((row) => ({
    id: row.id,
    requestId: row.request_id,
    customerId: row.customer_id ?? '',
    modelId: row.model_id,
    overrunMicrocents: row.overrun_microcents,
    unreconciledMicrocents: row.unreconciled_microcents,
    occurredAt: timestampFromDate(row.settled_at),
  }));
  return { usage, hasMore: page.hasMore };
}

/** The responses for a project and for an owner account have the same fields. */
export function statementToProto({
  month,
  openingMicrocents,
  closingMicrocents,
  lines,
}: Awaited<ReturnType<typeof readStatement>>) {
  return {
    month,
    openingMicrocents,
    closingMicrocents,
    lines: lines.map(({ kind, modelId, microcents, entries }) => ({
      ...{ kind, modelId: modelId ?? '' },
      ...{ amountMicrocents: microcents, entries },
    })),
  } satisfies MessageInitShape<typeof GetStatementResponseSchema>;
}
