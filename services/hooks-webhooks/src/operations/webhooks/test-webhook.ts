import { randomUUID } from 'node:crypto';
import type { EndpointAnswer } from '../../clients/endpoint-client.js';
import type { Context } from '../../context.js';
import { describeFailure, isDelivered } from '../../domain/webhooks/delivery.js';
import { sampleEvent } from '../../domain/webhooks/sample-event.js';
import { buildPayload, WEBHOOK_EVENT_TYPES } from '../../domain/webhooks/webhook-event.js';
import { insertTestDelivery } from '../../store/gen/deliveries.js';
import { requireOneOf } from '../read-settings.js';
import { sendNotification } from './deliver-events.js';
import { requireWebhook } from './webhooks.js';

type TestWebhookContext = Pick<Context, 'clock' | 'endpoints' | 'keyring' | 'logger' | 'pool'>;

export interface TestResult {
  status: 'delivered' | 'failed';
  responseStatus: number | undefined;
  responseBody: string;
  latencyMs: number;
  error: string | undefined;
}

/**
 * Sends one signed sample event in one attempt, even to a disabled webhook. Adds it to the delivery log without
 * counting it for the endpoint's health.
 */
export async function testWebhook(
  ctx: TestWebhookContext,
  projectId: string,
  { webhookId, eventType }: { webhookId: string; eventType: string | undefined },
  signal: AbortSignal,
): Promise<TestResult> {
  const webhook = await requireWebhook(ctx, projectId, webhookId);
  const type = requireOneOf('event_type', eventType, WEBHOOK_EVENT_TYPES) ?? webhook.eventTypes[0]!;
  const event = sampleEvent(type, { id: randomUUID(), projectId, occurredAt: ctx.clock.now() });
  const payload = buildPayload(event);
  const endpoint = { ...webhook, webhookId: webhook.id, url: webhook.endpointUrl };
  const notification = { eventId: event.id, eventType: type, payload };
  const { answer, latencyMs } = await sendNotification(ctx, endpoint, notification, signal);
  const result = toResult(answer, latencyMs);
  await insertTestDelivery(ctx.pool, {
    deliveryId: randomUUID(),
    webhookId: webhook.id,
    eventId: event.id,
    projectId,
    eventType: type,
    payload,
    occurredAt: event.occurredAt,
    outcome: result.status,
    responseStatus: result.responseStatus ?? null,
    latencyMs,
    error: result.error ?? null,
  });
  return result;
}

function toResult(answer: EndpointAnswer, latencyMs: number): TestResult {
  const delivered = isDelivered(answer);
  return {
    status: delivered ? 'delivered' : 'failed',
    responseStatus: answer.kind === 'answered' ? answer.status : undefined,
    responseBody: answer.responseBody ?? '',
    latencyMs,
    error: delivered ? undefined : describeFailure(answer),
  };
}
