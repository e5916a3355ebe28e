import type { IncomingHttpHeaders } from 'node:http';
import { listModelsQuery, listModelsResponse } from '@tollgate/api/model-requests';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { isAppError } from '@tollgate/errors';
import { type AuthenticationContext, authenticate } from '../../../auth/authenticate.js';
import { defineRoute } from '../../exchange/route.js';
import { readModels } from './read-models.js';

export const listModels = defineRoute({
  method: 'GET',
  path: '/models',
  tag: 'Model responses',
  summary: "List models with their capabilities and prices; with a customer's token, those of its tier",
  operationId: 'listModels',
  description: 'Prices are in cents per million tokens.',
  auth: 'none',
  query: listModelsQuery,
  success: { status: 200, schema: listModelsResponse },
  async handler({ query, call, headers }, ctx) {
    const filter = { provider: query.provider ?? '', capability: query.capability ?? '' };
    return { body: { models: await readModels(ctx, call, await findReader(headers, ctx), filter) } };
  },
});

/** The list is public, so an invalid credential is ignored. */
async function findReader(headers: IncomingHttpHeaders, ctx: AuthenticationContext): Promise<Principal | undefined> {
  if (headers.authorization === undefined) return undefined;
  return await authenticate(headers, ctx).catch((error: unknown) => {
    if (isAppError(error) && error.status < 500) return undefined;
    throw error;
  });
}
