import { retryAfterMs } from './retry-after.js';

export const RETRY_SCHEDULES = ['standard', 'fast'] as const;
export type RetryScheduleName = (typeof RETRY_SCHEDULES)[number];

export interface RetrySchedule {
  /** Pause before each attempt, counted from the end of the one before. Its length is the number of attempts. */
  delaysMs: readonly [number, number, number, number, number];
  /** Within this time the endpoint must have answered with a 2xx. */
  timeoutMs: number;
}

/** The two descriptions of the specification; which one applies is a setting of the webhook. */
export const retrySchedules: Record<RetryScheduleName, RetrySchedule> = {
  standard: { delaysMs: [0, 60_000, 300_000, 1_800_000, 7_200_000], timeoutMs: 30_000 },
  fast: { delaysMs: [0, 1_000, 2_000, 4_000, 8_000], timeoutMs: 5_000 },
};

export const ATTEMPTS_MAX = 5;

export type AttemptResult =
  | { kind: 'answered'; status: number; retryAfter?: string | undefined }
  /** No answer: timeout, network error, an address that may not be called. */
  | { kind: 'unreachable'; error: string }
  /** Our side stopped in the middle; whether the endpoint got it is unknown. */
  | { kind: 'interrupted' };

export type Verdict =
  | { outcome: 'delivered' }
  | { outcome: 'retry'; delayMs: number; error: string }
  /** `isGone`: the endpoint says that it will never want another delivery. */
  | { outcome: 'failed'; error: string; isGone: boolean };

/** What follows from attempt number `attempt` (1 = the first). */
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

/** 4xx says that the same bytes will not be accepted later either; 408 and 429 say the opposite. */
function isPermanent(result: AttemptResult): result is AttemptResult & { kind: 'answered' } {
  if (result.kind !== 'answered') return false;
  return result.status >= 400 && result.status < 500 && !asksForPatience(result.status);
}

function asksForPatience(status: number): boolean {
  return status === 408 || status === 429;
}

/** Retry-After may bring the next attempt forward, never push it past its slot: an endpoint cannot stretch the queue. */
function retryDelayMs(result: AttemptResult, slotMs: number, now: Date): number {
  if (result.kind === 'interrupted') return 0;
  if (result.kind !== 'answered' || !asksForPatience(result.status)) return slotMs;
  return Math.min(slotMs, retryAfterMs(result.retryAfter, now) ?? slotMs);
}

export function describeFailure(result: AttemptResult): string {
  if (result.kind === 'unreachable') return result.error;
  if (result.kind === 'interrupted') return 'interrupted before the answer was recorded';
  if (result.status >= 300 && result.status < 400) return `redirects are not followed (status ${result.status})`;
  return `endpoint answered ${result.status}`;
}
