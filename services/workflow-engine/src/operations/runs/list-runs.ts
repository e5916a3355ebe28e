import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import type { ListRunsRequest } from '@tollgate/contracts/workflow/v1/workflow_pb.js';
import { AppError } from '@tollgate/errors';
import { isUuid } from '@tollgate/runtime/uuid';
import type { Context } from '../../context.js';
import { runScope } from '../../domain/run/run-scope.js';
import { type RunStatus, runStatuses } from '../../domain/run/status.js';
import { type RunRecord, listRuns as readPage } from '../../store/runs/read-runs.js';

const LIMIT_MAX = 200;

export async function listRuns(
  ctx: Pick<Context, 'pool'>,
  principal: Principal,
  req: ListRunsRequest,
): Promise<{ runs: RunRecord[]; hasMore: boolean }> {
  const { status, customerId, agent, limit, offset, startedFrom, startedBefore } = req;
  if (status !== '' && !runStatuses.includes(status as RunStatus)) {
    throw new AppError('VALIDATION_ERROR', `status must be one of ${runStatuses.join(', ')}`);
  }
  if (limit < 1 || limit > LIMIT_MAX || offset < 0)
    throw new AppError('VALIDATION_ERROR', 'limit or offset out of range');
  if (customerId !== '' && !isUuid(customerId)) throw new AppError('VALIDATION_ERROR', 'customer_id must be a UUID');
  const page = {
    status: status === '' ? undefined : (status as RunStatus),
    customerId: customerId === '' ? undefined : customerId,
    agent: agent === '' ? undefined : agent,
    startedFrom: startedFrom && timestampDate(startedFrom),
    startedBefore: startedBefore && timestampDate(startedBefore),
    ...{ limit, offset },
  };
  const found = await readPage(ctx.pool, runScope(principal), page);
  return { runs: found.slice(0, limit), hasMore: found.length > limit };
}
