import type { SealedSecret } from '@tollgate/runtime/secret-box';
import type { DisabledReason, PreviousSecret, RetryScheduleName } from './delivery.js';
import type { SignatureForm } from './signature.js';
import type { WebhookEventType } from './webhook-event.js';

/** Bounds the fan-out of one event. */
export const WEBHOOKS_PER_PROJECT_MAX = 2_000;

/** Settings that the owner controls. */
export interface WebhookSettings {
  endpointUrl: string;
  eventTypes: WebhookEventType[];
  enabled: boolean;
  signatureForm: SignatureForm;
  retrySchedule: RetryScheduleName;
}

export interface Webhook extends WebhookSettings {
  id: string;
  projectId: string;
  disabledReason: DisabledReason | undefined;
  secret: SealedSecret;
  previousSecret?: PreviousSecret | undefined;
  createdAt: Date;
  updatedAt: Date;
}
