import { customerSchema, subscriptionSchema } from '@tollgate/api/billing';
import type { Customer, CustomerEnvelope, Subscription } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { parseExactJson } from '@tollgate/runtime';
import { toJson } from '../to-json.js';

/** Renders `{customer, subscription}`; the subscription is null when there is none. */
export function envelopeJson(envelope: CustomerEnvelope | undefined) {
  return {
    customer: customerJson(envelope?.customer),
    subscription: envelope?.subscription ? subscriptionJson(envelope.subscription) : null,
  };
}

export function customerJson(customer: Customer | undefined) {
  return customer && toJson(customerSchema, customer, { metadata: parseExactJson(customer.metadataJson || '{}') });
}

export function subscriptionJson(subscription: Subscription) {
  return toJson(subscriptionSchema, subscription, {});
}
