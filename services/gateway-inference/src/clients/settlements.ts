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

/** The amounts that the ledger charged for a settled request; init form of tollgate.inference.v1.Charge. */
export interface Charge {
  customerMicrocents: bigint;
  ownerMicrocents: bigint;
}

export interface SettlementsOptions {
  billing: Pick<Client<typeof BillingService>, 'settle'>;
  logger: Logger;
  /** Timeout of one attempt. */
  attemptTimeoutMs?: number;
  /** Attempts continue for this long; after that, the hold expires and the ledger decides from its recorded progress. */
  retryForMs?: number;
  /** Most settlements that may wait for another attempt; beyond it, the newest is logged and dropped. */
  pendingMax?: number;
}

const RETRY_FOR_MS = 300_000;
const ATTEMPT_TIMEOUT_MS = 5_000;

/**
 * Reports usage to the ledger until the ledger acknowledges it. The caller waits for the first attempt; further ones run in
 * the background. Settling is idempotent by hold id, so an attempt whose answer was lost can be repeated.
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
      messages: { retrying: 'settlement failed; retrying', gaveUp: 'settlement dropped' },
      retryForMs: retryForMs ?? RETRY_FOR_MS,
      ...(pendingMax !== undefined && { pendingMax }),
    });
  }

  /** Number of settlements that the ledger has not acknowledged yet. */
  get pendingCount(): number {
    return this.#queue.pendingCount;
  }

  /**
   * Resolves with the charge when the ledger acknowledges.
   *
   * @throws AppError SERVICE_UNAVAILABLE when it has not within `waitMs`; attempts continue.
   */
  async settle(settlement: Settlement, call: Call, waitMs: number): Promise<Charge> {
    try {
      return await this.#queue.run(() => this.#attempt(settlement, call), toFields(settlement, call), waitMs);
    } catch (cause) {
      throw new AppError('SERVICE_UNAVAILABLE', 'the request could not be settled', { cause });
    }
  }

  /** Resolves when no settlement is waiting, or after `timeoutMs`. */
  drain(timeoutMs: number): Promise<void> {
    return this.#queue.drain(timeoutMs);
  }

  async #attempt(settlement: Settlement, call: Call): Promise<Charge> {
    const answer = await this.#billing.settle(settlement, call.detached(this.#attemptTimeoutMs));
    if (answer.outcome === SettleOutcome.UNKNOWN_REQUEST) {
      this.#logger.error(toFields(settlement, call), 'settled request has no hold');
    }
    const { customerMicrocents, ownerMicrocents } = answer;
    return { customerMicrocents, ownerMicrocents };
  }
}

/** Identifies the request and what it used: with these fields an operator can charge or waive a settlement that was lost. */
function toFields({ holdId, usage, facts }: Settlement, { principal, requestId }: Call): Record<string, unknown> {
  return {
    request_id: requestId,
    hold_id: holdId,
    project_id: principal?.projectId,
    customer_id: principal?.customerId,
    model_id: facts?.modelId,
    input_tokens: usage?.inputTokens?.toString(),
    output_tokens: usage?.outputTokens?.toString(),
    images: usage?.images,
  };
}
