import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { cancelRun as cancelDraft } from '../../domain/run/run-transitions.js';
import { changeRun } from '../../execution/change-run.js';
import type { TransitionContext } from '../../execution/work-context.js';
import { findKeyHolder } from '../../store/runs/run-keys.js';
import { getRun, type RunView, requireRun } from './read-runs.js';
import { toRunKey } from './start-run.js';

/**
 * Cancels the run in one transaction, which also deletes its work rows: active work can no longer commit. Wakes the
 * processes that hold some of it, so that they abort their calls.
 */
export async function cancelRun(ctx: TransitionContext, principal: Principal, runId: string): Promise<RunView> {
  await requireRun(ctx, principal, runId);
  await changeRun(ctx, runId, undefined, async ({ draft }) => {
    if (draft.status === 'canceled') return;
    if (draft.status === 'succeeded' || draft.status === 'failed') {
      throw new AppError('CONFLICT', `the run has already ${draft.status}`);
    }
    cancelDraft(draft);
  });
  return getRun(ctx, principal, runId);
}

/** Returns the id of the run that the caller started with the key within the last day. @throws AppError NOT_FOUND */
export async function findRunByKey(
  ctx: Pick<TransitionContext, 'pool'>,
  principal: Principal,
  idempotencyKey: string,
): Promise<string> {
  const holder = await findKeyHolder(ctx.pool, toRunKey({ principal, idempotencyKey }));
  if (!holder) throw new AppError('NOT_FOUND', 'run not found');
  return holder.runId;
}
