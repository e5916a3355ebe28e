import { listApiKeysQuery } from '@tollgate/api/identity';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import type { Context } from '../../../context.js';
import { isKeyOfProject } from '../../../store/api-keys.js';
import { toMemberTwin } from '../../exchange/owner-sessions.js';
import type { Route } from '../../exchange/route.js';
import { createApiKey } from './create-api-key.js';
import { deleteApiKey } from './delete-api-key.js';
import { listApiKeys } from './list-api-keys.js';
import { requireKeyId } from './params.js';
import { rotateApiKey } from './rotate-api-key.js';
import { updateApiKey } from './update-api-key.js';

const list: Route = {
  ...listApiKeys,
  summary: 'List the project’s keys, newest first',
  query: listApiKeysQuery.omit({ project_id: true }),
  handler: (input, ctx) => {
    const { projectId } = input.principal;
    return listApiKeys.handler({ ...input, query: { ...input.query, project_id: projectId } }, ctx);
  },
};

const create: Route = {
  ...createApiKey,
  handler: (input, ctx) => {
    const { projectId } = input.principal;
    const named = input.body.project_id ?? projectId;
    if (named.toLowerCase() !== projectId) throw new AppError('NOT_FOUND', 'project not found');
    return createApiKey.handler({ ...input, body: { ...input.body, project_id: projectId } }, ctx);
  },
};

/** The account's keys, as far as they belong to the project of the path, for the members of that project. */
export const apiKeyRoutesInProject: Route[] = [
  list,
  create,
  ...[updateApiKey, rotateApiKey, deleteApiKey].map(ofProject),
].map(toMemberTwin);

function ofProject(route: Route): Route {
  return {
    ...route,
    handler: async (input, ctx) => {
      await requireKeyOfProject(ctx, input.principal, input.params);
      return route.handler(input, ctx);
    },
  };
}

async function requireKeyOfProject(
  ctx: Pick<Context, 'pool'>,
  { projectId }: Principal,
  params: { id: string },
): Promise<void> {
  if (await isKeyOfProject(ctx.pool, requireKeyId(params), projectId)) return;
  throw new AppError('NOT_FOUND', 'API key not found');
}
