import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type BillingService,
  SettleOutcome,
  type SettleRequestSchema,
} from '@tollgate/contracts/billing/v1/billing_pb.js';
import { AppError } from '@tollgate/errors';
import type { Call, Client } from '@tollgate/rpc';
import { type Logger, RetryQueue } from '@tollgate/runtime';

export type Settlement = MessageInitShape<typeof SettleRequestSchema>;

/** What the ledger charged for a settled request; init form of tollgate.inference.v1.Charge. */
export interface Charge {
  customerMicrocents: bigint;
  ownerMicrocents: bigint;
}

export interface SettlementsOptions {
  billing: Pick<Client<typeof BillingService>, 'settle'>;
  logger: Logger;
  /** Bound of one attempt. */
  attemptTimeoutMs?: number;
  /** Attempts continue for this long; after that the hold's expiry decides from the progress recorded for it. */
  retryForMs?: number;
  /** Settlements waiting for another attempt; beyond this the newest is given up with a log line. */
  pendingMax?: number;
}

const RETRY_FOR_MS = 300_000;
const ATTEMPT_TIMEOUT_MS = 5_000;

/**
 * Reports to the ledger what was served until the ledger has acknowledged it. The first attempt is the caller's; further
 * ones run in the background. Settling is idempotent by request id, so an attempt whose answer got lost does no harm.
 */
export class Settlements {
  readonly #billing: SettlementsOptions['billing'];
  readonly #logger: Logger;
  readonly #attemptTimeoutMs: number;
  readonly #queue: RetryQueue;

  constructor({ billing, logger, attemptTimeoutMs, retryForMs, pendingMax }: SettlementsOptions) {
    this.#billing = billing;
    this.#logger = logger;
    this.#attemptTimeoutMs = attemptTimeoutMs ?? ATTEMPT_TIMEOUT_MS;
    this.#queue = new RetryQueue({
      logger,
      messages: { retrying: 'settling failed; trying again', gaveUp: 'a request was not settled' },
      retryForMs: retryForMs ?? RETRY_FOR_MS,
      ...(pendingMax !== undefined && { pendingMax }),
    });
  }

  /** Settlements that the ledger has not acknowledged yet. */
  get pendingCount(): number {
    return this.#queue.pendingCount;
  }

  /**
   * Resolves with the charge when the ledger has acknowledged.
   *
   * @throws AppError SERVICE_UNAVAILABLE when it has not within `waitMs`; attempts continue.
   */
  async settle(settlement: Settlement, call: Call, waitMs: number): Promise<Charge> {
    try {
      return await this.#queue.run(() => this.#attempt(settlement, call), { request_id: call.requestId }, waitMs);
    } catch (cause) {
      throw new AppError('SERVICE_UNAVAILABLE', 'the request could not be settled', { cause });
    }
  }

  /** Resolves when nothing is waiting any more, or after `timeoutMs`. */
  drain(timeoutMs: number): Promise<void> {
    return this.#queue.drain(timeoutMs);
  }

  async #attempt(settlement: Settlement, call: Call): Promise<Charge> {
    const answer = await this.#billing.settle(settlement, call.detached(this.#attemptTimeoutMs));
    if (answer.outcome === SettleOutcome.UNKNOWN_REQUEST) {
      this.#logger.error({ request_id: call.requestId }, 'the ledger knows no hold of a request that was served');
    }
    const { customerMicrocents, ownerMicrocents } = answer;
    return { customerMicrocents, ownerMicrocents };
  }
}
