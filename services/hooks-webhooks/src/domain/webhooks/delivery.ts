import type { SealedSecret } from '@tollgate/runtime/secret-box';
import type { WebhookEventType } from './event-types.js';
import type { RetryScheduleName, Verdict } from './retry-policy.js';
import type { SignatureForm } from './signature.js';
import type { PreviousSecret } from './webhook.js';

export type DeliveryStatus = 'pending' | 'processing' | 'delivered' | 'failed';
export const DELIVERY_STATUSES: readonly DeliveryStatus[] = ['pending', 'processing', 'delivered', 'failed'];

/** The target of an attempt and how to sign it. */
export interface Endpoint {
  webhookId: string;
  projectId: string;
  url: string;
  signatureForm: SignatureForm;
  retrySchedule: RetryScheduleName;
  secret: SealedSecret;
  previousSecret?: PreviousSecret | undefined;
}

/** The right to make one attempt: valid until the lease expires and only for this epoch of the queue. */
export interface Lease {
  webhookId: string;
  orderingKey: string;
  epoch: number;
  deliveryId: string;
  round: number;
  /** 1 to 5. */
  attempt: number;
}

export interface ClaimedDelivery {
  lease: Lease;
  endpoint: Endpoint;
  eventId: string;
  eventType: WebhookEventType;
  payload: Buffer;
  /** W3C context of the event's cause. */
  traceparent?: string | undefined;
  /** When the delivery was queued. */
  queuedAt: Date;
  isEndpointFailing: boolean;
}

/** An attempt's result, ready to be recorded. */
export interface AttemptReport {
  lease: Lease;
  verdict: Verdict;
  /** The worker stopped during the attempt. */
  isInterrupted: boolean;
  responseStatus: number | undefined;
  latencyMs: number | undefined;
  startedAt: Date;
}
