import type { Logger } from '../observing/logger.js';
import { backoffMs } from './backoff.js';
import { elapsed } from './clock.js';
import { within } from './within.js';

export interface RetryQueueOptions {
  logger: Logger;
  /** Fixed log messages for a failed first attempt and for work that is given up. */
  messages: { retrying: string; gaveUp: string };
  /** Attempts continue for this long. */
  retryForMs: number;
  /** Maximum number of items that wait for another attempt; further items are abandoned. */
  pendingMax?: number;
}

interface PendingWork {
  /** Makes one more attempt and passes its result to the caller. */
  attempt: () => Promise<void>;
  /** Fields of the log lines. */
  fields: Record<string, unknown>;
  attempts: number;
  until: number;
  timer: NodeJS.Timeout | undefined;
  gaveUp(error: unknown): void;
}

const PENDING_MAX = 10_000;
const BACKOFF = { minMs: 50, maxMs: 2_000 };

/**
 * Repeats idempotent work until it succeeds. The caller makes the first attempt; further attempts run in the background,
 * with exponential pauses and jitter.
 */
export class RetryQueue {
  readonly #options: RetryQueueOptions;
  readonly #pending = new Set<PendingWork>();
  #isDrained = false;
  /** First attempts in progress. */
  #inFlight = 0;
  #idle: (() => void)[] = [];

  constructor(options: RetryQueueOptions) {
    this.#options = options;
  }

  /** Work that has not succeeded yet. */
  get pendingCount(): number {
    return this.#pending.size + this.#inFlight;
  }

  /**
   * Resolves with the result of the first attempt that succeeds.
   *
   * @throws the last error when no attempt succeeded within `waitMs`; attempts continue. Or when the work is given up
   */
  async run<Result>(attempt: () => Promise<Result>, fields: Record<string, unknown>, waitMs: number): Promise<Result> {
    let retrying: Promise<Result>;
    this.#inFlight++;
    try {
      return await attempt();
    } catch (error) {
      retrying = this.#retry(attempt, fields, waitMs, error);
    } finally {
      this.#inFlight--;
      this.#resolveIfIdle();
    }
    return await retrying;
  }

  /** Resolves when no work is pending, or after `timeoutMs`; work that is still pending is then given up. */
  async drain(timeoutMs: number): Promise<void> {
    if (this.pendingCount === 0) return;
    await within(new Promise<void>((resolve) => this.#idle.push(resolve)), timeoutMs);
    this.#isDrained = true;
    for (const work of this.#pending) this.#giveUp(work, new Error('the service is stopping'));
  }

  #retry<Result>(
    attempt: () => Promise<Result>,
    fields: Record<string, unknown>,
    waitMs: number,
    cause: unknown,
  ): Promise<Result> {
    const { logger, messages, retryForMs, pendingMax = PENDING_MAX } = this.#options;
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(cause), waitMs);
      const work: PendingWork = {
        attempt: async () => {
          const result = await attempt();
          clearTimeout(late);
          resolve(result);
        },
        fields,
        attempts: 1,
        until: elapsed() + retryForMs,
        timer: undefined,
        gaveUp: (error) => {
          clearTimeout(late);
          reject(error);
        },
      };
      this.#pending.add(work);
      logger.warn({ err: cause, ...fields }, messages.retrying);
      if (this.#isDrained || this.#pending.size > pendingMax) this.#giveUp(work, cause);
      else this.#schedule(work);
    });
  }

  #schedule(work: PendingWork): void {
    work.timer = setTimeout(() => void this.#again(work), backoffMs(work.attempts, BACKOFF));
  }

  async #again(work: PendingWork): Promise<void> {
    work.attempts++;
    try {
      await work.attempt();
      this.#remove(work);
    } catch (error) {
      if (!this.#pending.has(work)) return;
      if (elapsed() >= work.until) this.#giveUp(work, error);
      else this.#schedule(work);
    }
  }

  #giveUp(work: PendingWork, error: unknown): void {
    if (!this.#remove(work)) return;
    const { logger, messages } = this.#options;
    logger.error({ err: error, ...work.fields, attempts: work.attempts }, messages.gaveUp);
    work.gaveUp(error);
  }

  #remove(work: PendingWork): boolean {
    clearTimeout(work.timer);
    const wasPending = this.#pending.delete(work);
    this.#resolveIfIdle();
    return wasPending;
  }

  #resolveIfIdle(): void {
    if (this.#idle.length === 0 || this.pendingCount > 0) return;
    for (const resolve of this.#idle) resolve();
    this.#idle = [];
  }
}
