import type { BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import type { HoldOutcome, HoldService } from '@tollgate/contracts/billing/v1/holds_pb.js';
import { decodeMessage } from '@tollgate/contracts/codec';
import { type Principal, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { type Client, startCall } from '@tollgate/rpc';
import { createLoop, type Logger, type Loop } from '@tollgate/runtime';
import { releaseOnce } from '@tollgate/spending';
import type { Pool } from '../store/database.js';
import {
  forgetUnknownCosts,
  storeKnownCost,
  takeUnknownCosts,
  type UnknownCost,
} from '../store/queues/unknown-costs.js';

const INTERVAL_MS = 1_000;
const PER_PASS = 100;
const TIMEOUT_MS = 10_000;
const RELEASE_TIMEOUT_MS = 5_000;
/** With the growing delays this is about half a day. A hold without an outcome by then never gets one. */
const TRIES_MAX = 24;

interface CostLearnerContext {
  pool: Pool;
  logger: Logger;
  clients: { billing: Client<typeof BillingService>; holds: Client<typeof HoldService> };
}

/**
 * Asks the ledger for the cost of calls that ended without reporting it: a cancel or a deadline cut them off, or they
 * failed. Releases the holds of calls that were never sent. The queue is in the database, so a crash only delays it.
 */
export function createCostLearner(ctx: CostLearnerContext): Loop {
  return createLoop({
    name: 'costs.learn',
    intervalMs: INTERVAL_MS,
    logger: ctx.logger,
    run: async () => (await learnCosts(ctx)) === PER_PASS,
  });
}

/** Runs one pass. Returns how many calls it took from the queue. */
async function learnCosts(ctx: CostLearnerContext): Promise<number> {
  const due = await takeUnknownCosts(ctx.pool, PER_PASS);
  const sent = due.filter(({ wasDispatched }) => wasDispatched);
  for (const calls of groupByAccount(sent).values()) await learn(ctx, calls);
  for (const call of due) if (!call.wasDispatched) await release(ctx, call);
  const expired = due.filter(({ tries }) => tries >= TRIES_MAX).map(({ holdId }) => holdId);
  if (expired.length > 0) await forgetUnknownCosts(ctx.pool, expired);
  return due.length;
}

interface Asked extends UnknownCost {
  as: Principal;
}

function groupByAccount(due: readonly UnknownCost[]): Map<string, Asked[]> {
  const groups = new Map<string, Asked[]>();
  for (const call of due) {
    const as = decodeMessage(PrincipalSchema, call.principal);
    groups.set(as.accountId, [...(groups.get(as.accountId) ?? []), { ...call, as }]);
  }
  return groups;
}

async function learn({ pool, clients }: CostLearnerContext, calls: readonly Asked[]): Promise<void> {
  const holdIds = calls.map(({ holdId }) => holdId);
  const rpc = startCall({ principal: (calls[0] as Asked).as, timeoutMs: TIMEOUT_MS });
  const { outcomes } = await clients.holds.readHoldOutcomes({ holdIds }, rpc);
  for (const outcome of outcomes) {
    const call = calls.find(({ holdId }) => holdId === outcome.holdId);
    if (call) await storeKnownCost(pool, call, toCost(outcome, call));
  }
  const final = outcomes.filter(({ mayChange }) => !mayChange);
  await forgetUnknownCosts(
    pool,
    final.map(({ holdId }) => holdId),
  );
}

function toCost(outcome: HoldOutcome, { hasCustomer }: UnknownCost) {
  const { inputTokens, outputTokens } = outcome;
  const microcents = hasCustomer ? outcome.customerMicrocents : outcome.ownerMicrocents;
  const isServed = inputTokens + outputTokens > 0n || microcents > 0n;
  return isServed ? { microcents, inputTokens, outputTokens } : undefined;
}

/** Releases a hold, or leaves a tombstone for an admission that is still on its way. A failed release is repeated by later passes. */
async function release({ pool, clients, logger }: CostLearnerContext, call: UnknownCost): Promise<void> {
  const hold = { holdId: call.holdId, principal: decodeMessage(PrincipalSchema, call.principal) };
  try {
    await releaseUnused(clients.billing, hold);
  } catch (error) {
    logger.warn({ err: error, hold_id: call.holdId, run_id: call.runId }, 'hold not released');
    return;
  }
  await storeKnownCost(pool, call, undefined);
  await forgetUnknownCosts(pool, [call.holdId]);
}

interface UnusedHold {
  holdId: string;
  principal: Principal;
}

/** Releases the hold of a step that was never sent; an admission that arrives later finds the hold ended. */
async function releaseUnused(
  billing: Pick<Client<typeof BillingService>, 'release' | 'settle'>,
  { holdId, principal }: UnusedHold,
): Promise<void> {
  const facts = { success: false, errorCode: 'NOT_DISPATCHED' };
  const call = startCall({ requestId: holdId, principal, timeoutMs: RELEASE_TIMEOUT_MS });
  await releaseOnce(billing, holdId, facts, call);
}
