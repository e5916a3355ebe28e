import { requestResponse } from '@tollgate/api/reports';
import type { ReadHoldResponse } from '@tollgate/contracts/billing/v1/holds_pb.js';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError, isAppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import { isUuid } from '@tollgate/runtime/uuid';
import { requireProject } from '../../../auth/project-scope.js';
import type { Context } from '../../../context.js';
import type { RequestEntry } from '../../../domain/reports/request-entry.js';
import { findRequest } from '../../../store/requests/read-requests.js';
import { defineRoute } from '../../exchange/route.js';
import { requestParams } from './params.js';
import { requestDetailJson } from './request-detail-json.js';

export const getRequest = defineRoute({
  method: 'GET',
  path: '/projects/:id/requests/:request_id',
  tag: 'Reports',
  summary: 'Get one model request of a project, with its admission, hold, prices and the providers that were asked',
  auth: ['owner', 'secret_key'],
  params: requestParams,
  success: { status: 200, schema: requestResponse },
  async handler(input, ctx) {
    const { params } = input;
    const principal = await requireProject(ctx, input, params.id);
    const { projectId } = principal;
    const found = isUuid(params.request_id) ? await findRequest(ctx.pool, projectId, params.request_id) : undefined;
    if (!found) throw new AppError('NOT_FOUND', 'request not found');
    return { body: { request: requestDetailJson(found, await readHold(ctx, found, principal, input.call)) } };
  },
});

/** Undefined for a refused request, and after the hold's retention. */
async function readHold(
  { clients }: Pick<Context, 'clients'>,
  { id, status }: RequestEntry,
  principal: Principal,
  call: Call,
): Promise<ReadHoldResponse | undefined> {
  if (status === 'refused') return undefined;
  try {
    return await clients.holds.readHold({ holdId: id }, call.with({ principal }));
  } catch (error) {
    if (isAppError(error) && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}
