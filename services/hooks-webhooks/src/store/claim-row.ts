import type { ClaimedDelivery } from '../domain/webhooks/delivery.js';
import type { WebhookEventType } from '../domain/webhooks/event-types.js';
import type { RetryScheduleName } from '../domain/webhooks/retry-policy.js';
import type { SignatureForm } from '../domain/webhooks/signature.js';
import { type PreviousSecretColumns, type SecretColumns, toPreviousSecret, toSealedSecret } from './sealed-secrets.js';

export interface ClaimRow extends SecretColumns, PreviousSecretColumns {
  delivery_id: string;
  lane_key: string;
  epoch: number;
  round: number;
  attempt_count: number;
  created_at: Date;
  event_id: string;
  event_type: string;
  payload: Buffer;
  traceparent: string | null;
  webhook_id: string;
  project_id: string;
  endpoint_url: string;
  signature_form: string;
  retry_schedule: string;
  failed_attempts: number;
}

export function toClaimedDelivery(row: ClaimRow): ClaimedDelivery {
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
