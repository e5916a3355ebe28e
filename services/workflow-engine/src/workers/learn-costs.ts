import { fromBinary } from '@bufbuild/protobuf';
import { type Principal, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { startCall } from '@tollgate/rpc';
import { createLoop, type Loop } from '@tollgate/runtime';
import type { Context } from '../context.js';
import { forgetUnknownCosts, storeKnownCost, takeUnknownCosts, type UnknownCost } from '../store/unknown-costs.js';

const INTERVAL_MS = 1_000;
const PER_PASS = 100;
const TIMEOUT_MS = 10_000;
/** With the growing pauses about half a day: a hold that nobody has judged by then never will be. */
const TRIES_MAX = 24;

/**
 * Calls that were cut off, by a cancel or a deadline, are settled by inference for what their provider had served. This
 * asks the ledger what that came to, so that the run's cost summary is exact. The queue is in the database: a crash only
 * delays it.
 */
export function createCostLearner(ctx: Pick<Context, 'pool' | 'logger' | 'clients'>): Loop {
  return createLoop({
    name: 'costs.learn',
    intervalMs: INTERVAL_MS,
    logger: ctx.logger,
    run: async () => (await learnCosts(ctx)) === PER_PASS,
  });
}

/** One pass; returns how many it has looked at. */
export async function learnCosts(ctx: Pick<Context, 'pool' | 'logger' | 'clients'>): Promise<number> {
  const due = await takeUnknownCosts(ctx.pool, PER_PASS);
  for (const calls of byAccount(due).values()) await learn(ctx, calls);
  const hopeless = due.filter(({ tries }) => tries >= TRIES_MAX).map(({ requestId }) => requestId);
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

async function learn({ pool, clients }: Pick<Context, 'pool' | 'clients'>, calls: readonly Asked[]): Promise<void> {
  const requestIds = calls.map(({ requestId }) => requestId);
  const rpc = startCall({ principal: (calls[0] as Asked).as, timeoutMs: TIMEOUT_MS });
  const { outcomes } = await clients.holds.readHoldOutcomes({ requestIds }, rpc);
  for (const outcome of outcomes) {
    const call = calls.find(({ requestId }) => requestId === outcome.requestId);
    if (!call) continue;
    const microcents = call.hasCustomer ? outcome.customerMicrocents : outcome.ownerMicrocents;
    const { inputTokens, outputTokens } = outcome;
    await storeKnownCost(pool, call, { microcents, inputTokens, outputTokens });
  }
  await forgetUnknownCosts(
    pool,
    outcomes.map(({ requestId }) => requestId),
  );
}
