import { setTimeout as sleep } from 'node:timers/promises';
import { elapsed } from '@tollgate/runtime';

/** How long and for what to wait. */
export interface WaitOptions {
  /** Default 30,000. */
  timeoutMs?: number;
  /** Named in the failure. */
  what: string;
}

type Falsy = false | null | undefined | 0 | '';

/**
 * Calls `ask` with growing pauses until the answer is truthy, and returns it. A throw counts as "not yet". * @throws
 * Error naming the condition, with the last throw as its cause.
 */
export async function waitUntil<T>(
  ask: () => T | Promise<T>,
  { timeoutMs = 30_000, what }: WaitOptions,
): Promise<Exclude<T, Falsy>> {
  const deadline = elapsed() + timeoutMs;
  let lastThrow: unknown;
  for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 1.5, 50)) {
    try {
      const answer = await ask();
      if (answer) return answer as Exclude<T, Falsy>;
      lastThrow = undefined;
    } catch (error) {
      lastThrow = error;
    }
    if (elapsed() + pauseMs > deadline) break;
    await sleep(pauseMs);
  }
  throw new Error(`timed out after ${timeoutMs} ms waiting for ${what}`, { cause: lastThrow });
}
