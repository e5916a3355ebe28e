import { fromBinary } from '@bufbuild/protobuf';
import type { HoldOutcome } from '@tollgate/contracts/billing/v1/holds_pb.js';
import { type Principal, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { startCall } from '@tollgate/rpc';
import { createLoop, type Loop } from '@tollgate/runtime';
import { releaseUnused } from '../clients/release-hold.js';
import type { Context } from '../context.js';
import { forgetUnknownCosts, storeKnownCost, takeUnknownCosts, type UnknownCost } from '../store/unknown-costs.js';

const INTERVAL_MS = 1_000;
const PER_PASS = 100;
const TIMEOUT_MS = 10_000;
/** About half a day with the growing pauses: a hold that has no outcome by then will never have one. */
const TRIES_MAX = 24;

type Deps = Pick<Context, 'pool' | 'logger' | 'clients'>;

/**
 * Asks the ledger what calls have cost that ended without telling: those that a cancel or a deadline cut off, and those
 * that failed. Releases the holds of calls that were never sent. The queue is in the database, so a crash only delays it.
 */
export function createCostLearner(ctx: Deps): Loop {
  return createLoop({
    name: 'costs.learn',
    intervalMs: INTERVAL_MS,
    logger: ctx.logger,
    run: async () => (await learnCosts(ctx)) === PER_PASS,
  });
}

/** One pass; returns how many calls it took from the queue. */
export async function learnCosts(ctx: Deps): Promise<number> {
  const due = await takeUnknownCosts(ctx.pool, PER_PASS);
  const sent = due.filter(({ wasDispatched }) => wasDispatched);
  for (const calls of byAccount(sent).values()) await learn(ctx, calls);
  for (const call of due) if (!call.wasDispatched) await release(ctx, call);
  const hopeless = due.filter(({ tries }) => tries >= TRIES_MAX).map(({ holdId }) => holdId);
  if (hopeless.length > 0) await forgetUnknownCosts(ctx.pool, hopeless);
  return due.length;
}

interface Asked extends UnknownCost {
  as: Principal;
}

function byAccount(due: readonly UnknownCost[]): Map<string, Asked[]> {
  const groups = new Map<string, Asked[]>();
  for (const call of due) {
    const as = fromBinary(PrincipalSchema, call.principal);
    groups.set(as.accountId, [...(groups.get(as.accountId) ?? []), { ...call, as }]);
  }
  return groups;
}

async function learn({ pool, clients }: Deps, calls: readonly Asked[]): Promise<void> {
  const holdIds = calls.map(({ holdId }) => holdId);
  const rpc = startCall({ principal: (calls[0] as Asked).as, timeoutMs: TIMEOUT_MS });
  const { outcomes } = await clients.holds.readHoldOutcomes({ holdIds }, rpc);
  for (const outcome of outcomes) {
    const call = calls.find(({ holdId }) => holdId === outcome.holdId);
    if (call) await storeKnownCost(pool, call, costOf(outcome, call));
  }
  const final = outcomes.filter(({ mayChange }) => !mayChange);
  await forgetUnknownCosts(
    pool,
    final.map(({ holdId }) => holdId),
  );
}

function costOf(outcome: HoldOutcome, { hasCustomer }: UnknownCost) {
  const { inputTokens, outputTokens } = outcome;
  const microcents = hasCustomer ? outcome.customerMicrocents : outcome.ownerMicrocents;
  const isServed = inputTokens + outputTokens > 0n || microcents > 0n;
  return isServed ? { microcents, inputTokens, outputTokens } : undefined;
}

/** Repeated by later passes until the ledger answers. */
async function release({ pool, clients, logger }: Deps, call: UnknownCost): Promise<void> {
  const hold = { holdId: call.holdId, principal: fromBinary(PrincipalSchema, call.principal) };
  try {
    await releaseUnused(clients.billing, hold);
  } catch (error) {
    logger.warn({ err: error, hold_id: call.holdId, run_id: call.runId }, 'hold not released');
    return;
  }
  await storeKnownCost(pool, call, undefined);
  await forgetUnknownCosts(pool, [call.holdId]);
}
