import { z } from 'zod';
import { pageQuery } from '../values/paging.js';

/** The closed list of event types that an endpoint can subscribe to. */
export const webhookEventTypes = [
  'customer.created',
  'customer.updated',
  'customer.deleted',
  'usage.threshold_exceeded',
  'request.completed',
  'billing.subscription_changed',
  'billing.payment_succeeded',
  'billing.payment_refunded',
  'billing.payment_failed',
  'billing.dispute_opened',
  'account.admission_blocked',
] as const;

export const webhookSignatureForms = ['body', 'timestamped', 'standard'] as const;
export const webhookRetrySchedules = ['standard', 'fast'] as const;
export const webhookDeliveryStatuses = ['pending', 'processing', 'delivered', 'failed'] as const;

const EVENTS_MAX = 100;

/** Only JSON types are checked here; hooks-webhooks validates the values and reports faults by field. */
const settings = {
  endpoint_url: z.string().nullish().describe('required; https'),
  events: z
    .array(z.string())
    .max(EVENTS_MAX)
    .nullish()
    .describe(`required; of ${webhookEventTypes.join(', ')}`),
  enabled: z.boolean().nullish(),
  signature_form: z
    .string()
    .nullish()
    .describe('`body` (default), `timestamped`, or `standard`: the headers of Standard Webhooks'),
  retry_schedule: z.string().nullish().describe('`standard` (default) or `fast`'),
};

/** `POST /projects/{id}/webhooks` */
export const createWebhookBody = z.object(settings);

/** `PUT /projects/{id}/webhooks/{webhook_id}`: absent optional fields keep their values. */
export const updateWebhookBody = z.object({
  ...settings,
  rotate_secret: z.boolean().nullish(),
  overlap_seconds: z
    .int()
    .min(0)
    .max(604_800)
    .nullish()
    .describe('with `rotate_secret`: how long the old secret signs beside the new one; default 86400'),
});

/** `POST /projects/{id}/webhooks/{webhook_id}/test`; without a type, the first subscribed one. */
export const testWebhookBody = z.object({ event_type: z.string().nullish() });

export const listWebhooksQuery = pageQuery(50, 200);

/** `GET /projects/{id}/webhooks/{webhook_id}/events` */
export const listWebhookEventsQuery = pageQuery(50, 200).extend({
  event_type: z.enum(webhookEventTypes).optional(),
  status: z.enum(webhookDeliveryStatuses).optional(),
});

/** Answer record of a webhook. */
export const webhookSchema = z.object({
  id: z.guid(),
  project_id: z.guid(),
  endpoint_url: z.string(),
  /** Set only when the secret was just created: on create and on rotation. */
  signing_secret: z.string().optional(),
  enabled: z.boolean(),
  /** Why the webhook is disabled: by its owner, after failed deliveries, or because the endpoint answered 410. */
  disabled_reason: z.enum(['owner', 'failures', 'gone']).optional(),
  events: z.array(z.enum(webhookEventTypes)),
  signature_form: z.enum(webhookSignatureForms),
  retry_schedule: z.enum(webhookRetrySchedules),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});

/** Answer record of one attempt at a delivery. */
export const webhookAttemptSchema = z.object({
  attempt: z.number().int(),
  /** `interrupted`: the service stopped before it knew the answer. */
  outcome: z.enum(['delivered', 'retry', 'failed', 'interrupted']),
  response_status: z.number().int().optional(),
  latency_ms: z.number().int().optional(),
  error: z.string().optional(),
  started_at: z.iso.datetime(),
});

/** Answer record of a delivery: one event for one endpoint. */
export const webhookDeliverySchema = z.object({
  id: z.guid(),
  webhook_config_id: z.guid(),
  event_type: z.enum(webhookEventTypes),
  event_id: z.guid(),
  payload: z.record(z.string(), z.unknown()),
  status: z.enum(webhookDeliveryStatuses),
  /** Attempts of the current series; a redelivery starts a new series. */
  attempt_count: z.number().int(),
  response_status: z.number().int().optional(),
  latency_ms: z.number().int().optional(),
  error: z.string().optional(),
  attempts: z.array(webhookAttemptSchema),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});

export const webhookResponse = z.object({ webhook: webhookSchema });
export const listWebhooksResponse = z.object({
  webhooks: z.array(webhookSchema),
  next_cursor: z.string().optional(),
});
export const webhookEventResponse = z.object({ event: webhookDeliverySchema });
export const listWebhookEventsResponse = z.object({
  events: z.array(webhookDeliverySchema),
  next_cursor: z.string().optional(),
});
/** `GET /webhook-event-types` */
export const listWebhookEventTypesResponse = z.object({
  event_types: z.array(
    z.object({
      type: z.enum(webhookEventTypes),
      description: z.string(),
      schema: z.record(z.string(), z.unknown()).describe('JSON Schema of the body of a delivery'),
      example: z.record(z.string(), z.unknown()).describe('the body of a delivery'),
    }),
  ),
});

export const testWebhookResponse = z.object({
  status: z.enum(['delivered', 'failed']),
  response_status: z.number().int().nullable(),
  /** The start of the body. */
  response_body: z.string(),
  latency_ms: z.number().int(),
  error: z.string().nullable(),
});
