import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { eventTypes, newEvent, type OutboxEvent } from '@tollgate/events';
import { writeExactJson } from '@tollgate/runtime';
import type { CustomerRow } from '../../store/customers/customers.js';

export function customerEvent(definition: typeof eventTypes.customerCreated, row: CustomerRow): OutboxEvent {
  return newEvent(definition, {
    key: row.id,
    message: {
      projectId: row.project_id,
      customerId: row.id,
      externalId: row.external_id,
      email: row.email,
      tierId: row.tier_id ?? '',
      tierCode: row.tier_code ?? '',
      metadataJson: writeExactJson(row.metadata),
      createdAt: timestampFromDate(row.created_at),
      updatedAt: timestampFromDate(row.updated_at),
    },
  });
}

export interface SubscriptionInfo {
  projectId: string;
  customerId: string;
  tierId: string;
  tierCode: string;
  billingProvider: string | null;
  billingCustomerId: string | null;
  billingSubscriptionId: string | null;
  status: string;
  periodStart: Date;
  periodEnd: Date;
}

export function subscriptionEvent(info: SubscriptionInfo): OutboxEvent {
  return newEvent(eventTypes.subscriptionChanged, {
    key: info.customerId,
    message: {
      projectId: info.projectId,
      customerId: info.customerId,
      tierId: info.tierId,
      tierCode: info.tierCode,
      billingProvider: info.billingProvider ?? '',
      billingCustomerId: info.billingCustomerId ?? '',
      billingSubscriptionId: info.billingSubscriptionId ?? '',
      subscriptionStatus: info.status,
      currentPeriodStart: timestampFromDate(info.periodStart),
      currentPeriodEnd: timestampFromDate(info.periodEnd),
    },
  });
}
