import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt';
import type { Customer, CustomerEnvelope, Subscription } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { parseExactJson } from '@tollgate/runtime';

export function timeJson(at: Timestamp | undefined): string | undefined {
  return at && timestampDate(at).toISOString();
}

/** Renders `{customer, subscription}`; the subscription is null when there is none. */
export function envelopeJson(envelope: CustomerEnvelope | undefined) {
  return {
    customer: customerJson(envelope?.customer),
    subscription: envelope?.subscription ? subscriptionJson(envelope.subscription) : null,
  };
}

export function customerJson(customer: Customer | undefined) {
  return (
    customer && {
      id: customer.id,
      project_id: customer.projectId,
      external_id: customer.externalId,
      email: customer.email,
      metadata: parseExactJson(customer.metadataJson || '{}'),
      blocked_at: timeJson(customer.blockedAt),
      created_at: timeJson(customer.createdAt),
      updated_at: timeJson(customer.updatedAt),
    }
  );
}

export function subscriptionJson(s: Subscription) {
  return {
    id: s.id,
    project_id: s.projectId,
    customer_id: s.customerId,
    tier_id: s.tierId,
    tier_code: s.tierCode,
    tier_display_name: s.tierDisplayName,
    price_amount_cents: s.priceAmountCents === undefined ? undefined : Number(s.priceAmountCents),
    price_currency: s.priceCurrency || undefined,
    price_interval: s.priceInterval || undefined,
    billing_provider: s.billingProvider || undefined,
    billing_customer_id: s.billingCustomerId || undefined,
    billing_subscription_id: s.billingSubscriptionId || undefined,
    subscription_status: s.subscriptionStatus,
    current_period_start: timeJson(s.currentPeriodStart),
    current_period_end: timeJson(s.currentPeriodEnd),
    cancel_at: timeJson(s.cancelAt),
    created_at: timeJson(s.createdAt),
    updated_at: timeJson(s.updatedAt),
  };
}
