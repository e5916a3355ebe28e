import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt';
import type { Webhook, WebhookDelivery } from '@tollgate/contracts/hooks/v1/hooks_pb.js';
import { parseExactJson } from '@tollgate/runtime';

export function webhookJson(webhook: Webhook | undefined) {
  const { id, projectId, endpointUrl, events, enabled, signatureForm, retrySchedule } = webhook!;
  return {
    id,
    project_id: projectId,
    endpoint_url: endpointUrl,
    signing_secret: webhook!.signingSecret || undefined,
    enabled,
    disabled_reason: webhook!.disabledReason || undefined,
    events,
    signature_form: signatureForm,
    retry_schedule: retrySchedule,
    created_at: time(webhook!.createdAt),
    updated_at: time(webhook!.updatedAt),
  };
}

export function deliveryJson(delivery: WebhookDelivery | undefined) {
  const { id, webhookId, eventType, eventId, payload, status, attempts } = delivery!;
  return {
    id,
    webhook_config_id: webhookId,
    event_type: eventType,
    event_id: eventId,
    payload: parseExactJson(Buffer.from(payload).toString('utf8')),
    status,
    attempt_count: delivery!.attemptCount,
    response_status: delivery!.responseStatus,
    latency_ms: delivery!.latencyMs,
    error: delivery!.error || undefined,
    attempts: attempts.map((attempt) => ({
      attempt: attempt.attempt,
      outcome: attempt.outcome,
      response_status: attempt.responseStatus,
      latency_ms: attempt.latencyMs,
      error: attempt.error || undefined,
      started_at: time(attempt.startedAt),
    })),
    created_at: time(delivery!.createdAt),
    updated_at: time(delivery!.updatedAt),
  };
}

function time(value: Timestamp | undefined): string | undefined {
  return value && timestampDate(value).toISOString();
}
