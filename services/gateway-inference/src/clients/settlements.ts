import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type BillingService,
  SettleOutcome,
  type SettleRequestSchema,
} from '@tollgate/contracts/billing/v1/billing_pb.js';
import { AppError } from '@tollgate/errors';
import type { Call, Client } from '@tollgate/rpc';
import type { Logger } from '@tollgate/runtime';

export type Settlement = MessageInitShape<typeof SettleRequestSchema>;

export interface SettlementsOptions {
  billing: Pick<Client<typeof BillingService>, 'settle'>;
  logger: Logger;
  /** Bound of one attempt. */
  attemptTimeoutMs?: number;
  /** Attempts go on this long; after that the hold's expiry decides from the progress recorded for it. */
  retryForMs?: number;
  /** Settlements waiting for another attempt; beyond this the newest is given up with a log line. */
  pendingMax?: number;
}

interface PendingSettlement {
  settlement: Settlement;
  call: Call;
  attempts: number;
  until: number;
  timer: NodeJS.Timeout | undefined;
  acknowledged(): void;
  gaveUp(error: unknown): void;
}

const BACKOFF_MS_MIN = 50;
const BACKOFF_MS_MAX = 2_000;

/**
 * Tells the ledger what was served, until it has heard. The first attempt is the caller's; further ones go on behind
 * its back. Settling is idempotent by request id, so an attempt whose answer got lost does no harm.
 */
export class Settlements {
  readonly #billing: SettlementsOptions['billing'];
  readonly #logger: Logger;
  readonly #attemptTimeoutMs: number;
  readonly #retryForMs: number;
  readonly #pendingMax: number;
  readonly #pending = new Set<PendingSettlement>();
  /** First attempts under way. */
  #inFlight = 0;
  #idle: (() => void)[] = [];

  constructor(options: SettlementsOptions) {
    this.#billing = options.billing;
    this.#logger = options.logger;
    this.#attemptTimeoutMs = options.attemptTimeoutMs ?? 5_000;
    this.#retryForMs = options.retryForMs ?? 300_000;
    this.#pendingMax = options.pendingMax ?? 10_000;
  }

  /** Settlements that the ledger has not acknowledged yet. */
  get pendingCount(): number {
    return this.#pending.size + this.#inFlight;
  }

  /**
   * Resolves when the ledger has acknowledged.
   *
   * @throws AppError SERVICE_UNAVAILABLE when it has not within `waitMs`; attempts go on.
   */
  async settle(settlement: Settlement, call: Call, waitMs: number): Promise<void> {
    let retrying: Promise<void> | undefined;
    this.#inFlight++;
    try {
      await this.#attempt(settlement, call);
    } catch (error) {
      retrying = this.#retry(settlement, call, waitMs, error);
    } finally {
      this.#inFlight--;
      this.#tellIfIdle();
    }
    await retrying;
  }

  /** Resolves when nothing is waiting any more, or after `timeoutMs`. */
  async drain(timeoutMs: number): Promise<void> {
    if (this.pendingCount === 0) return;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, timeoutMs);
    });
    await Promise.race([new Promise<void>((resolve) => this.#idle.push(resolve)), late]);
    clearTimeout(timer);
    for (const entry of this.#pending)
      this.#giveUp(entry, new AppError('SERVICE_UNAVAILABLE', 'the service is stopping'));
  }

  async #attempt(settlement: Settlement, call: Call): Promise<void> {
    const { outcome } = await this.#billing.settle(settlement, call.detached(this.#attemptTimeoutMs));
    if (outcome !== SettleOutcome.UNKNOWN_REQUEST) return;
    this.#logger.error({ request_id: call.requestId }, 'the ledger knows no hold of a request that was served');
  }

  #retry(settlement: Settlement, call: Call, waitMs: number, cause: unknown): Promise<void> {
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(unsettled(cause)), waitMs);
      const entry: PendingSettlement = {
        settlement,
        call,
        attempts: 1,
        until: Date.now() + this.#retryForMs,
        timer: undefined,
        acknowledged: () => {
          clearTimeout(late);
          resolve();
        },
        gaveUp: (error) => {
          clearTimeout(late);
          reject(unsettled(error));
        },
      };
      this.#pending.add(entry);
      this.#logger.warn({ err: cause, request_id: call.requestId }, 'settling failed; trying again');
      if (this.#pending.size > this.#pendingMax) this.#giveUp(entry, cause);
      else this.#schedule(entry);
    });
  }

  #schedule(entry: PendingSettlement): void {
    const ceiling = Math.min(BACKOFF_MS_MAX, BACKOFF_MS_MIN * 2 ** Math.min(entry.attempts - 1, 10));
    entry.timer = setTimeout(() => void this.#again(entry), ceiling / 2 + (Math.random() * ceiling) / 2);
  }

  async #again(entry: PendingSettlement): Promise<void> {
    entry.attempts++;
    try {
      await this.#attempt(entry.settlement, entry.call);
      if (!this.#remove(entry)) return;
      entry.acknowledged();
    } catch (error) {
      if (!this.#pending.has(entry)) return;
      if (Date.now() >= entry.until) this.#giveUp(entry, error);
      else this.#schedule(entry);
    }
  }

  #giveUp(entry: PendingSettlement, error: unknown): void {
    if (!this.#remove(entry)) return;
    const { requestId } = entry.call;
    this.#logger.error({ err: error, request_id: requestId, attempts: entry.attempts }, 'a request was not settled');
    entry.gaveUp(error);
  }

  #remove(entry: PendingSettlement): boolean {
    clearTimeout(entry.timer);
    const wasPending = this.#pending.delete(entry);
    this.#tellIfIdle();
    return wasPending;
  }

  #tellIfIdle(): void {
    if (this.#idle.length === 0 || this.pendingCount > 0) return;
    for (const resolve of this.#idle) resolve();
    this.#idle = [];
  }
}

function unsettled(cause: unknown): AppError {
  return new AppError('SERVICE_UNAVAILABLE', 'the request could not be settled', { cause });
}
