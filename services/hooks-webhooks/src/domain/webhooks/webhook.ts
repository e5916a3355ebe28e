import type { SealedSecret } from '@tollgate/runtime/secret-box';
import type { DisabledReason } from './endpoint-health.js';
import type { WebhookEventType } from './event-types.js';
import type { RetryScheduleName } from './retry-policy.js';
import type { SignatureForm } from './signature.js';

/** Bounds the fan-out of one event. */
export const WEBHOOKS_PER_PROJECT_MAX = 2_000;

/** The secret before the last rotation. */
export interface PreviousSecret {
  secret: SealedSecret;
  /** It signs beside the current one until then. */
  until: Date;
}

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
