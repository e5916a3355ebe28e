import type { SealedSecret } from '../secret-box.js';
import type { WebhookEventType } from './event-types.js';
import type { RetryScheduleName, Verdict } from './retry-policy.js';
import type { SignatureForm } from './signature.js';

export type DeliveryStatus = 'pending' | 'processing' | 'delivered' | 'failed';
export const DELIVERY_STATUSES: readonly DeliveryStatus[] = ['pending', 'processing', 'delivered', 'failed'];

/** Where an attempt is sent and how. */
export interface Endpoint {
  webhookId: string;
  projectId: string;
  url: string;
  signatureForm: SignatureForm;
  retrySchedule: RetryScheduleName;
  secret: SealedSecret;
}

/** The right to make one attempt: holds until the lease ends and only for this epoch of the lane. */
export interface Lease {
  webhookId: string;
  laneKey: string;
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
  /** When the delivery was queued. */
  queuedAt: Date;
  isEndpointFailing: boolean;
}

/** How an attempt went, ready to be recorded. */
export interface AttemptReport {
  lease: Lease;
  verdict: Verdict;
  /** Our side stopped in the middle. */
  isInterrupted: boolean;
  responseStatus: number | undefined;
  latencyMs: number | undefined;
  startedAt: Date;
}
