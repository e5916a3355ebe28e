import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type {
  GetWebhookStatisticsResponseSchema,
  WebhookDeliverySchema,
  WebhookRecoverySchema,
  WebhookSchema,
  WebhookStatisticsSchema,
} from '@tollgate/contracts/hooks/v1/hooks_pb.js';
import type { Webhook } from '../domain/webhooks/webhook.js';
import type { RecoveryProgress } from '../operations/webhooks/recover-webhook.js';
import type { AttemptResult, DeliveryRecord } from '../store/deliveries.js';
import type { StatisticsRow } from '../store/statistics.js';

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

/** The total is the last row. */
export function statisticsToProto(
  rows: readonly StatisticsRow[],
): MessageInitShape<typeof GetWebhookStatisticsResponseSchema> {
  const all = rows.map(toStatistics);
  const total = all.at(-1);
  return { ...(total && { total }), intervals: all.slice(0, -1) };
}

function toStatistics(row: StatisticsRow): MessageInitShape<typeof WebhookStatisticsSchema> {
  const { at, pending, processing, delivered, failed, p50, p95, p99 } = row;
  return {
    ...{ pending, processing, delivered, failed },
    ...(p50 !== null && { latencyP50Ms: p50 }),
    ...(p95 !== null && { latencyP95Ms: p95 }),
    ...(p99 !== null && { latencyP99Ms: p99 }),
    ...(at && { at: timestampFromDate(at) }),
  };
}

export function recoveryToProto(recovery: RecoveryProgress): MessageInitShape<typeof WebhookRecoverySchema> {
  const { id, webhook_id: webhookId, status, requeued, remaining } = recovery;
  return {
    ...{ id, webhookId, status, requeued, remaining },
    since: timestampFromDate(recovery.since),
    startedAt: timestampFromDate(recovery.started_at),
    ...(recovery.ended_at && { endedAt: timestampFromDate(recovery.ended_at) }),
  };
}
