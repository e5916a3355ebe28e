import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import type { Task } from '@tollgate/tools';
import type { Context } from '../../context.js';
import { loadToolState } from '../../store/run-tool-state.js';
import { requireRun } from './visible-run.js';

/** Returns the run's own task list. A run in a session uses the session's list instead. */
export async function listRunTasks(
  ctx: Pick<Context, 'pool'>,
  principal: Principal,
  runId: string,
): Promise<readonly Task[]> {
  await requireRun(ctx, principal, runId);
  return (await loadToolState(ctx.pool, runId)).tasks;
}
