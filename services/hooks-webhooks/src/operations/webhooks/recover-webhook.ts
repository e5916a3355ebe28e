import { randomUUID } from 'node:crypto';
import { AppError } from '@tollgate/errors';
import { withTransaction } from '@tollgate/postgres';
import { isUuid } from '@tollgate/runtime/uuid';
import type { Context } from '../../context.js';
import {
  countRemaining,
  endRecovery,
  findRecovery,
  findRunningRecovery,
  insertRecovery,
  listRunningRecoveries,
  lockRecovery,
  type Recovery,
  requeueFailed,
} from '../../store/recoveries.js';
import { requireWebhook } from './webhooks.js';

type RecoveryContext = Pick<Context, 'queuePool' | 'wakeDeliveries'>;

export interface RecoveryProgress extends Recovery {
  /** Deliveries still to be queued, at most REMAINING_MAX. */
  remaining: number;
}

const REMAINING_MAX = 10_000;
/** Deliveries that one transaction queues. */
const BATCH = 500;
const RECOVERIES_PER_PASS = 50;

/**
 * Starts to requeue every delivery created since a time that has failed, and queues the first batch. The sweeper queues the
 * rest. Repeating the call while it runs returns the same recovery; a later one finds only what failed again.
 *
 * @throws AppError NOT_FOUND; INVALID_INPUT for a time in the future; CONFLICT while the webhook is disabled or another
 * recovery of it is running
 */
export async function recoverWebhook(
  ctx: RecoveryContext & Pick<Context, 'clock' | 'pool'>,
  projectId: string,
  { webhookId, since }: { webhookId: string; since: Date | undefined },
): Promise<RecoveryProgress> {
  if (!since || since.getTime() > ctx.clock.nowMs())
    throw new AppError('INVALID_INPUT', 'since must be a time in the past');
  const webhook = await requireWebhook(ctx, projectId, webhookId);
  if (!webhook.enabled) throw new AppError('CONFLICT', 'the webhook is disabled; enable it first');
  const started = await insertRecovery(ctx.queuePool, { id: randomUUID(), webhookId: webhook.id, since });
  if (started) await advanceRecovery(ctx, started.id);
  const recovery = started ?? (await findRunningRecovery(ctx.queuePool, webhook.id));
  if (!recovery) throw new AppError('CONFLICT', 'another recovery of the webhook has just ended; try again');
  if (recovery.since.getTime() !== since.getTime())
    throw new AppError(
      'CONFLICT',
      `a recovery since ${recovery.since.toISOString()} is running; try again once it has ended`,
    );
  return readRecovery(ctx, projectId, { webhookId: webhook.id, recoveryId: recovery.id });
}

/** @throws AppError NOT_FOUND */
export async function readRecovery(
  ctx: Pick<Context, 'pool'>,
  projectId: string,
  { webhookId, recoveryId }: { webhookId: string; recoveryId: string },
): Promise<RecoveryProgress> {
  const { id } = await requireWebhook(ctx, projectId, webhookId);
  const recovery = isUuid(recoveryId) ? await findRecovery(ctx.pool, id, recoveryId) : undefined;
  if (!recovery) throw new AppError('NOT_FOUND', 'recovery not found');
  const remaining = recovery.status === 'running' ? await countRemaining(ctx.pool, recovery, REMAINING_MAX) : 0;
  return { ...recovery, remaining };
}

/** Queues the next batch of each running recovery. Returns true if there may be more. */
export async function advanceRecoveries(ctx: RecoveryContext): Promise<boolean> {
  const ids = await listRunningRecoveries(ctx.queuePool, RECOVERIES_PER_PASS);
  let hasMore = false;
  for (const id of ids) hasMore = (await advanceRecovery(ctx, id)) || hasMore;
  return hasMore;
}

/** Queues the next batch of one recovery and ends it after the last. Any process may do so, also after a crash. */
async function advanceRecovery(ctx: RecoveryContext, id: string): Promise<boolean> {
  const requeued = await withTransaction(ctx.queuePool, async (tx) => {
    const locked = await lockRecovery(tx, id);
    if (!locked) return 0;
    if (!locked.isOpen) {
      await endRecovery(tx, id, 'canceled');
      return 0;
    }
    const count = await requeueFailed(tx, locked.recovery, BATCH);
    if (count === 0 && (await countRemaining(tx, locked.recovery, 1)) === 0) await endRecovery(tx, id, 'completed');
    return count;
  });
  if (requeued > 0) ctx.wakeDeliveries();
  return requeued > 0;
}
