import type { SealedSecret } from '@tollgate/runtime/secret-box';
import type { SignatureForm } from './signature.js';
import type { WebhookEventType } from './webhook-event.js';

export type DeliveryStatus = 'pending' | 'processing' | 'delivered' | 'failed';
export const DELIVERY_STATUSES: readonly DeliveryStatus[] = ['pending', 'processing', 'delivered', 'failed'];

/** The secret before the last rotation. */
export interface PreviousSecret {
  secret: SealedSecret;
  /** It signs beside the current one until then. */
  until: Date;
}

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

/** The slots that one endpoint could use now. */
export interface EndpointDemand {
  webhookId: string;
  /** Queues whose head is due. */
  ready: number;
  /** Running attempts of all workers. */
  busy: number;
  /** Its latest attempt failed. */
  isFailing: boolean;
}

export interface FreeSlots {
  total: number;
  /** Of these, how many may go to failing endpoints; healthy ones keep the rest even when many endpoints hang. */
  failing: number;
}

interface Allotment {
  /** Attempts granted per endpoint, without zeros. */
  quotas: Map<string, number>;
  /** The last endpoint that was considered, after which the next round starts; undefined when there was none. */
  lastServed: string | undefined;
}

/**
 * Allots free slots to endpoints one by one in the given order, so that each has one before any has two. A failing
 * endpoint gets one attempt at a time: enough to detect recovery without exhausting the worker's slots.
 */
export function allotSlots(demands: readonly EndpointDemand[], free: FreeSlots, endpointMax: number): Allotment {
  const quotas = new Map<string, number>();
  let { total, failing } = free;
  let lastServed: string | undefined;
  for (let round = 1, granted = true; granted; round++) {
    granted = false;
    for (const demand of demands) {
      if (total === 0) return { quotas, lastServed };
      if (round === 1) lastServed = demand.webhookId;
      const limit = demand.isFailing ? 1 : endpointMax;
      if (round > demand.ready || demand.busy + round > limit) continue;
      if (demand.isFailing && failing === 0) continue;
      quotas.set(demand.webhookId, round);
      total -= 1;
      if (demand.isFailing) failing -= 1;
      granted = true;
    }
  }
  return { quotas, lastServed };
}

export const RETRY_SCHEDULES = ['standard', 'fast'] as const;
export type RetryScheduleName = (typeof RETRY_SCHEDULES)[number];

interface RetrySchedule {
  /** Delay before each attempt, from the end of the previous one. The list's length is the number of attempts. */
  delaysMs: readonly [number, number, number, number, number];
  /** Time within which the endpoint must answer 2xx. */
  timeoutMs: number;
}

/** The specification's two schedules; the webhook's settings choose one. */
export const retrySchedules: Record<RetryScheduleName, RetrySchedule> = {
  standard: { delaysMs: [0, 60_000, 300_000, 1_800_000, 7_200_000], timeoutMs: 30_000 },
  fast: { delaysMs: [0, 1_000, 2_000, 4_000, 8_000], timeoutMs: 5_000 },
};

export const ATTEMPTS_MAX = 5;

/** The longest delay that an endpoint can ask for. */
const RETRY_AFTER_MS_MAX = 900_000;

export type AttemptResult =
  | { kind: 'answered'; status: number; retryAfter?: string | undefined }
  /** No answer: a timeout, a network error, or a blocked address. */
  | { kind: 'unreachable'; error: string }
  /** The worker stopped during the attempt; the endpoint may have received the request. */
  | { kind: 'interrupted' };

export type Verdict =
  | { outcome: 'delivered' }
  | { outcome: 'retry'; delayMs: number; error: string }
  /** `isGone`: the endpoint answered 410, which asks for no further deliveries. */
  | { outcome: 'failed'; error: string; isGone: boolean };

/** Decides the outcome of attempt number `attempt` (1 = the first). */
export function judgeAttempt(schedule: RetrySchedule, attempt: number, result: AttemptResult, now: Date): Verdict {
  if (isDelivered(result)) return { outcome: 'delivered' };
  const error = describeFailure(result);
  if (isPermanent(result)) return { outcome: 'failed', error, isGone: result.status === 410 };
  const slotMs = attempt < ATTEMPTS_MAX ? schedule.delaysMs[attempt] : undefined;
  if (slotMs === undefined) return { outcome: 'failed', error, isGone: false };
  return { outcome: 'retry', delayMs: retryDelayMs(result, slotMs, now), error };
}

export function isDelivered(result: AttemptResult): boolean {
  return result.kind === 'answered' && result.status >= 200 && result.status < 300;
}

/** 4xx is permanent, because the same bytes would be rejected again; 408 and 429 ask for a retry. */
function isPermanent(result: AttemptResult): result is AttemptResult & { kind: 'answered' } {
  if (result.kind !== 'answered') return false;
  const { status } = result;
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}

/** Retry-After may delay the next attempt past its slot, within a bound: the events behind it wait, too. */
function retryDelayMs(result: AttemptResult, slotMs: number, now: Date): number {
  if (result.kind === 'interrupted') return 0;
  if (result.kind !== 'answered') return slotMs;
  return Math.max(slotMs, Math.min(RETRY_AFTER_MS_MAX, retryAfterMs(result.retryAfter, now) ?? 0));
}

/** Reads a Retry-After header (seconds or an HTTP date) as milliseconds; returns undefined when it is invalid. */
function retryAfterMs(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  // Only the forms of an HTTP date start with a weekday; Date.parse alone would accept almost anything.
  if (!/^[A-Za-z]{3,9},? /.test(text)) return undefined;
  // The form of asctime names no zone; it is UTC, too.
  const at = Date.parse(text.endsWith(' GMT') ? text : `${text} GMT`);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime());
}

export function describeFailure(result: AttemptResult): string {
  if (result.kind === 'unreachable') return result.error;
  if (result.kind === 'interrupted') return 'interrupted before the answer was recorded';
  if (result.status >= 300 && result.status < 400) return `redirects are not followed (status ${result.status})`;
  return `endpoint answered ${result.status}`;
}

/** Consecutive failed deliveries after which an endpoint is disabled. */
const FAILED_DELIVERIES_MAX = 5;

/** Counters of a webhook; a delivered event resets both to zero. */
export interface EndpointHealth {
  /** Consecutive failed deliveries; at the maximum the webhook is disabled. */
  failedDeliveries: number;
  /** Consecutive failed attempts. Above zero the endpoint gets one attempt at a time. */
  failedAttempts: number;
}

export interface AttemptOutcome {
  outcome: 'delivered' | 'retry' | 'failed';
  isGone: boolean;
}

export type DisabledReason = 'owner' | 'failures' | 'gone';

/**
 * Applies outcomes in the order in which they happened. Returns the new health and whether the endpoint is disabled.
 */
export function applyOutcomes(
  before: EndpointHealth,
  outcomes: readonly AttemptOutcome[],
): EndpointHealth & { disable?: DisabledReason } {
  let { failedDeliveries, failedAttempts } = before;
  for (const { outcome, isGone } of outcomes) {
    if (outcome === 'delivered') {
      failedDeliveries = 0;
      failedAttempts = 0;
      continue;
    }
    failedAttempts += 1;
    if (outcome === 'failed') failedDeliveries += 1;
    if (isGone) return { failedDeliveries, failedAttempts, disable: 'gone' };
    if (failedDeliveries >= FAILED_DELIVERIES_MAX) return { failedDeliveries, failedAttempts, disable: 'failures' };
  }
  return { failedDeliveries, failedAttempts };
}
