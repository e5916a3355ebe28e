import type { BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import type { HoldService } from '@tollgate/contracts/billing/v1/holds_pb.js';
import { type AppError, isAppError } from '@tollgate/errors';
import { type Call, type Client, wasNotDelivered } from '@tollgate/rpc';
import { type Logger, RetryQueue, within } from '@tollgate/runtime';

/** The ledger as a service that spends sees it. Built by `createLedger`. */
export interface Ledger {
  billing: Pick<Client<typeof BillingService>, 'admit' | 'release' | 'settle'>;
  holds: Pick<Client<typeof HoldService>, 'supersedeHolds'>;
  /** Repeats releases and supersessions until the ledger answers. Drain it when the process stops. */
  endings: RetryQueue;
}

/** The hold of one attempt at a request. */
export interface HoldRef {
  /** UUID, and the hold's idempotency key. Never chosen by a client. */
  readonly holdId: string;
  /** Set once it is proven that no work was dispatched under the hold, so that the attempt costs its payer nothing. */
  isUndispatched?: boolean;
}

/** Why a hold ends without any work: the client left, or the work was not delivered. */
export type ReleaseReason = 'CANCELED' | 'SERVICE_UNAVAILABLE';

/** What `request.completed` reports about a request that was refused before its work began. */
export type ReleaseInfo = NonNullable<Parameters<Ledger['billing']['release']>[0]['facts']>;

/** Far longer than a hold lives: a release that arrives after the hold's expiry corrects the verdict. */
const RETRY_FOR_MS = 300_000;
const ATTEMPT_TIMEOUT_MS = 5_000;
/** How long a caller waits for the first success; attempts continue in the background. */
const WAIT_MS = 1_000;

/** As `request.completed` reports it. */
const FACTS = {
  CANCELED: { status: 499, stopReason: 'canceled', success: false, errorCode: 'CANCELED' },
  SERVICE_UNAVAILABLE: { status: 503, stopReason: 'error', success: false, errorCode: 'SERVICE_UNAVAILABLE' },
} as const satisfies Record<ReleaseReason, object>;

export function createLedger({
  billing,
  holds,
  logger,
}: Pick<Ledger, 'billing' | 'holds'> & { logger: Logger }): Ledger {
  const messages = { retrying: 'hold not ended; trying again', gaveUp: 'hold not ended; it will expire' };
  return { billing, holds, endings: new RetryQueue({ logger, messages, retryForMs: RETRY_FOR_MS }) };
}

/**
 * Frees what may be held for work that certainly was not dispatched. Repeated until the ledger answers; an admission
 * that arrives later finds its hold ended. Resolves after a second at the latest and never throws.
 */
export async function release(
  ledger: Ledger,
  { holdId }: HoldRef,
  reason: ReleaseReason | ReleaseInfo,
  call: Call,
): Promise<void> {
  const facts = typeof reason === 'string' ? FACTS[reason] : reason;
  await end(ledger, holdId, call, () => releaseOnce(ledger.billing, holdId, facts, call));
}

/** One attempt at {@link release}. @throws AppError if the ledger cannot be reached */
export async function releaseOnce(
  billing: Pick<Ledger['billing'], 'release'>,
  holdId: string,
  facts: ReleaseInfo,
  call: Call,
): Promise<void> {
  await billing.release({ holdIds: [holdId], facts }, call.detached(ATTEMPT_TIMEOUT_MS));
}

/**
 * Charges the attempt to the owner instead of its customer, including usage that it still reports. Repeats the call until
 * the ledger answers. Resolves after a second at the latest and never throws.
 */
export async function supersede(ledger: Ledger, { holdId }: HoldRef, call: Call): Promise<void> {
  const request = { holdIds: [holdId] };
  await end(ledger, holdId, call, () => ledger.holds.supersedeHolds(request, call.detached(ATTEMPT_TIMEOUT_MS)));
}

async function end(ledger: Ledger, holdId: string, call: Call, attempt: () => Promise<unknown>): Promise<void> {
  const ended = ledger.endings.run(attempt, { hold_id: holdId, request_id: call.requestId }, WAIT_MS).catch(ignore);
  // The queue bounds the wait after a failed attempt only: the first attempt may take its whole timeout.
  await within(ended, WAIT_MS);
}

/** The queue has logged the failure and repeats the attempt. */
function ignore(): void {}

/** Codes of failures after which the cost of the work is unknown. */
const OUTCOME_UNKNOWN: ReadonlySet<AppError['code']> = new Set([
  'SERVICE_UNAVAILABLE',
  'RELAY_TIMEOUT',
  'INTERNAL_ERROR',
]);

/**
 * What became of work whose call failed:
 * - `undelivered`: it never reached the service, so that nothing was served.
 * - `lost`: it is unknown whether it was served. Another attempt may succeed.
 * - `defect`: it is unknown whether it was served. Another attempt would fail, too.
 * - `final`: the service has refused or failed it, and has settled what was served.
 */
export type Fate = 'undelivered' | 'lost' | 'defect' | 'final';

/** Returns what the error of a call says about its work. */
export function classify(error: unknown): Fate {
  if (wasNotDelivered(error)) return 'undelivered';
  if (!isAppError(error)) return 'lost';
  if (!OUTCOME_UNKNOWN.has(error.code)) return 'final';
  return error.retryable ? 'lost' : 'defect';
}

/**
 * Awaits work that was dispatched under a hold. When the work was not delivered, releases the hold. When its outcome is
 * unknown, supersedes the hold: its customer gets an error and must not pay for work without an answer. A client that left
 * pays for what was served.
 */
export async function underHold<Answer>(
  ledger: Ledger,
  hold: HoldRef,
  call: Call,
  work: Promise<Answer>,
): Promise<Answer> {
  try {
    return await work;
  } catch (error) {
    const fate = classify(error);
    if (fate === 'undelivered') {
      hold.isUndispatched = true;
      void release(ledger, hold, 'SERVICE_UNAVAILABLE', call);
    } else if (fate !== 'final' && !call.isAborted) {
      await supersede(ledger, hold, call);
    }
    throw error;
  }
}
