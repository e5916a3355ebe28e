import type { TollgateError } from './error.js';
import type { Settings } from './settings.js';

const FIRST_DELAY_MS = 500;
const DELAY_MS_MAX = 8_000;

/** Returns whether a request may be sent twice without a second effect. */
export function isRepeatable(method: string, idempotencyKey: string | undefined): boolean {
  return idempotencyKey !== undefined || method === 'GET' || method === 'PUT' || method === 'DELETE';
}

/**
 * Returns the pause before the next attempt, or undefined when there is none: the error is final, the request must not be
 * sent twice, or the server asks for a longer pause than the client accepts. A 429 is always safe: it is refused before
 * it has an effect.
 */
export function nextDelayMs(
  error: TollgateError,
  { attempt, isSafe }: { attempt: number; isSafe: boolean },
  { retryAfterMaxMs, timing }: Pick<Settings, 'retryAfterMaxMs' | 'timing'>,
): number | undefined {
  if (!error.retryable || !(isSafe || error.status === 429)) return undefined;
  if (error.retryAfterSeconds !== undefined) {
    const askedMs = error.retryAfterSeconds * 1000;
    return askedMs <= retryAfterMaxMs ? askedMs : undefined;
  }
  return backoffMs(attempt, timing.random());
}

/** Doubles with each attempt, less up to a half, so that clients do not return together. */
export function backoffMs(attempt: number, random: number): number {
  const delayMs = Math.min(DELAY_MS_MAX, FIRST_DELAY_MS * 2 ** attempt);
  return delayMs * (1 - random / 2);
}
