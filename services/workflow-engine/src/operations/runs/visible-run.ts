import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { isLowerCaseUuid } from '@tollgate/runtime/uuid';
import type { Context } from '../../context.js';
import { isInScope, runScope } from '../../domain/run/run-scope.js';
import { findRun, type RunRecord } from '../../store/runs/read-runs.js';

/** Returns the run if the caller may see it. @throws AppError NOT_FOUND */
export async function requireRun(ctx: Pick<Context, 'pool'>, principal: Principal, runId: string): Promise<RunRecord> {
  const scope = runScope(principal);
  const run = isLowerCaseUuid(runId) ? await findRun(ctx.pool, runId) : undefined;
  if (!run || !isInScope(run, scope)) throw new AppError('NOT_FOUND', 'run not found');
  return run;
}
