import { startCall } from '@tollgate/rpc';
import { release } from '@tollgate/spending';
import type { WorkItem } from '../../domain/run/work-item.js';
import type { ModelStep } from '../../domain/step/model-step.js';
import { markUndelivered, readStepFate } from '../../store/steps/run-steps.js';
import type { WorkContext } from '../work-context.js';

const RELEASE_TIMEOUT_MS = 5_000;

/** Gives up a call of this process that is in the journal as dispatched and was not made. */
export async function leaveUnsent(ctx: WorkContext, item: WorkItem, step: ModelStep): Promise<void> {
  await markUndelivered(ctx.pool, step.ref, item);
  await releaseIfOver(ctx, step, true);
}

/**
 * Releases the hold of a call that is never made, because its node has ended. Otherwise the next holder of the work uses
 * the hold. If another process has the step in the journal, its hold is settled or released from there. Never throws: a
 * hold that is not released expires.
 */
export async function releaseIfOver(
  ctx: WorkContext,
  { ref, holdId, principal }: ModelStep,
  isOwn = false,
): Promise<void> {
  try {
    const { isOver, isJournaled } = await readStepFate(ctx.pool, ref);
    if (!isOver || (isJournaled && !isOwn)) return;
    const call = startCall({ requestId: holdId, principal, timeoutMs: RELEASE_TIMEOUT_MS });
    await release(ctx.ledger, { holdId }, { success: false, errorCode: 'NOT_DISPATCHED' }, call);
  } catch (error) {
    ctx.logger.warn({ err: error, hold_id: holdId, run_id: ref.runId }, 'hold not released; it will expire');
  }
}
