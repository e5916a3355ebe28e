import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import type { Task } from '@tollgate/tools';
import type { Context } from '../../context.js';
import { loadToolState } from '../../store/run-tool-state.js';
import { requireRun } from './visible-run.js';

/** The run's own task list. That of a run in a session is the session's. */
export async function listRunTasks(ctx: Context, principal: Principal, runId: string): Promise<readonly Task[]> {
  await requireRun(ctx, principal, runId);
  return (await loadToolState(ctx.pool, runId)).tasks;
}
