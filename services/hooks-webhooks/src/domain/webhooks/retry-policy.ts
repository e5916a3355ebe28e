export const RETRY_SCHEDULES = ['standard', 'fast'] as const;
export type RetryScheduleName = (typeof RETRY_SCHEDULES)[number];

export interface RetrySchedule {
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
