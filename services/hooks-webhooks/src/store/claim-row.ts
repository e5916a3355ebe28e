import type { ClaimedDelivery } from '../domain/webhooks/delivery.js';
import type { WebhookEventType } from '../domain/webhooks/event-types.js';
import type { RetryScheduleName } from '../domain/webhooks/retry-policy.js';
import type { SignatureForm } from '../domain/webhooks/signature.js';
import type { LeaseQueueHeadsRow } from './gen/lease-queue-heads.js';
import { toPreviousSecret, toSealedSecret } from './sealed-secrets.js';

export function toClaimedDelivery(row: LeaseQueueHeadsRow): ClaimedDelivery {
  return {
    lease: {
      webhookId: row.webhook_id,
      orderingKey: row.lane_key,
      epoch: row.epoch,
      deliveryId: row.delivery_id,
      round: row.round,
      attempt: row.attempt_count,
    },
    endpoint: {
      webhookId: row.webhook_id,
      projectId: row.project_id,
      url: row.endpoint_url,
      signatureForm: row.signature_form as SignatureForm,
      retrySchedule: row.retry_schedule as RetryScheduleName,
      secret: toSealedSecret(row),
      previousSecret: toPreviousSecret(row),
    },
    eventId: row.event_id,
    eventType: row.event_type as WebhookEventType,
    payload: row.payload,
    traceparent: row.traceparent ?? undefined,
    queuedAt: row.created_at,
    isEndpointFailing: row.failed_attempts > 0,
  };
}
