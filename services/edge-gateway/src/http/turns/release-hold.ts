import { type AppError, isAppError } from '@tollgate/errors';
import { type Call, wasNotDelivered } from '@tollgate/rpc';
import type { Spender } from './ask-ledger.js';

const ATTEMPT_TIMEOUT_MS = 5_000;
/** How long a client waits for the end of its hold before it gets its error; attempts continue in the background. */
const WAIT_MS = 1_000;

const ENDINGS = {
  CANCELED: { status: 499, stopReason: 'canceled' },
  SERVICE_UNAVAILABLE: { status: 503, stopReason: 'error' },
} as const;

/** Failures that leave open what the work behind them has cost. */
const OUTCOME_UNKNOWN: ReadonlySet<AppError['code']> = new Set([
  'SERVICE_UNAVAILABLE',
  'RELAY_TIMEOUT',
  'INTERNAL_ERROR',
]);

/** Frees what may have been reserved for work that certainly was not dispatched. Repeated until the ledger answers. */
export async function releaseHold({ ctx, ids, route }: Spender, call: Call, why: keyof typeof ENDINGS): Promise<void> {
  const settlement = {
    holdId: ids.holdId,
    usage: {},
    facts: { ...ENDINGS[why], success: false, errorCode: why },
  };
  const attempt = async (): Promise<void> => {
    await ctx.clients.billing.settle(settlement, call.detached(ATTEMPT_TIMEOUT_MS));
  };
  await ctx.holdEndings.run(attempt, { request_id: ids.requestId, path: route.path }, WAIT_MS).catch(ignore);
}

/**
 * Awaits the call that dispatches admitted work. When the call provably never left, releases the hold. When the outcome
 * is unknown, takes the hold off its customer, who gets an error and must not pay for work without an answer.
 */
export async function dispatched<Answer>(spender: Spender, call: Call, sent: Promise<Answer>): Promise<Answer> {
  try {
    return await sent;
  } catch (error) {
    if (wasNotDelivered(error)) {
      spender.ids.isUndispatched = true;
      void releaseHold(spender, call, 'SERVICE_UNAVAILABLE');
    } else if (!call.isAborted && (!isAppError(error) || OUTCOME_UNKNOWN.has(error.code))) {
      await supersedeHold(spender, call);
    }
    throw error;
  }
}

/** Makes whatever the work has served, or still reports, the owner's alone. Repeated until the ledger answers. */
async function supersedeHold({ ctx, ids, route }: Spender, call: Call): Promise<void> {
  const attempt = async (): Promise<void> => {
    await ctx.clients.holds.supersedeHolds({ holdIds: [ids.holdId] }, call.detached(ATTEMPT_TIMEOUT_MS));
  };
  await ctx.holdEndings.run(attempt, { request_id: ids.requestId, path: route.path }, WAIT_MS).catch(ignore);
}

/** The queue has logged the failure and repeats the attempt. */
function ignore(): void {}
