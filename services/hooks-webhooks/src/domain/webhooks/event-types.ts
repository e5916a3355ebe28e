/** The closed list of event types an endpoint can subscribe to. */
export const WEBHOOK_EVENT_TYPES = [
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

export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number];

export function isWebhookEventType(value: string): value is WebhookEventType {
  return (WEBHOOK_EVENT_TYPES as readonly string[]).includes(value);
}
