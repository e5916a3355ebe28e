import { requestResponse } from '@tollgate/api/reports';
import { AppError } from '@tollgate/errors';
import { isUuid } from '@tollgate/runtime/uuid';
import { findRequest } from '../../../store/requests/read-requests.js';
import { requireProject } from '../../exchange/project-scope.js';
import { defineRoute } from '../../exchange/route.js';
import { requestParams } from './params.js';
import { requestJson } from './request-json.js';

export const getRequest = defineRoute({
  method: 'GET',
  path: '/projects/:id/requests/:request_id',
  tag: 'Reports',
  summary: 'Get one model request of a project',
  auth: ['owner', 'secret_key'],
  params: requestParams,
  success: { status: 200, schema: requestResponse },
  async handler(input, ctx) {
    const { params } = input;
    const { projectId } = await requireProject(ctx, input, params.id);
    const found = isUuid(params.request_id) ? await findRequest(ctx.pool, projectId, params.request_id) : undefined;
    if (!found) throw new AppError('NOT_FOUND', 'request not found');
    return { body: { request: requestJson(found) } };
  },
});
