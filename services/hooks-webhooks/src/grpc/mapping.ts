import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { WebhookDeliverySchema, WebhookSchema } from '@tollgate/contracts/hooks/v1/hooks_pb.js';
import type { Webhook } from '../domain/webhooks/webhook.js';
import type { AttemptResult, DeliveryRecord } from '../store/deliveries.js';

export function webhookToProto(webhook: Webhook, signingSecret?: string): MessageInitShape<typeof WebhookSchema> {
  return {
    id: webhook.id,
    projectId: webhook.projectId,
    endpointUrl: webhook.endpointUrl,
    events: webhook.eventTypes,
    enabled: webhook.enabled,
    signatureForm: webhook.signatureForm,
    retrySchedule: webhook.retrySchedule,
    signingSecret: signingSecret ?? '',
    disabledReason: webhook.disabledReason ?? '',
    createdAt: timestampFromDate(webhook.createdAt),
    updatedAt: timestampFromDate(webhook.updatedAt),
  };
}

export function deliveryToProto(delivery: DeliveryRecord): MessageInitShape<typeof WebhookDeliverySchema> {
  return {
    id: delivery.id,
    webhookId: delivery.webhookId,
    eventType: delivery.event.eventType,
    eventId: delivery.eventId,
    payload: delivery.event.payload,
    status: delivery.status,
    attemptCount: delivery.attemptCount,
    ...responseFields(delivery),
    attempts: delivery.attempts.map((attempt) => ({
      attempt: attempt.attempt,
      outcome: attempt.outcome,
      ...responseFields(attempt),
      startedAt: timestampFromDate(attempt.startedAt),
    })),
    createdAt: timestampFromDate(delivery.createdAt),
    updatedAt: timestampFromDate(delivery.updatedAt),
  };
}

function responseFields({ responseStatus, latencyMs, error }: AttemptResult) {
  return {
    ...(responseStatus !== undefined && { responseStatus }),
    ...(latencyMs !== undefined && { latencyMs }),
    error: error ?? '',
  };
}
