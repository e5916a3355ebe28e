import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import type { Context } from '../../context.js';
import { isInScope, runScope } from '../../domain/run/run-scope.js';
import { findRun, type RunRecord } from '../../store/read-runs.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns the run if the caller may see it. @throws AppError NOT_FOUND */
export async function requireRun(ctx: Context, principal: Principal, runId: string): Promise<RunRecord> {
  const scope = runScope(principal);
  const run = UUID.test(runId) ? await findRun(ctx.pool, runId) : undefined;
  if (!run || !isInScope(run, scope)) throw new AppError('NOT_FOUND', 'run not found');
  return run;
}
