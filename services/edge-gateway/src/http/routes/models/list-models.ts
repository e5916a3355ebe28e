import { listModelsQuery, listModelsResponse } from '@tollgate/api';
import { defineRoute } from '../../route.js';

export const listModels = defineRoute({
  method: 'GET',
  path: '/models',
  tag: 'Model responses',
  summary: 'Models with their abilities and prices',
  auth: 'none',
  query: listModelsQuery,
  success: { status: 200, schema: listModelsResponse },
  async handler({ query, call }, ctx) {
    const request = { provider: query.provider ?? '', capability: query.capability ?? '' };
    const { modelsJson } = await ctx.clients.inference.listModels(request, call);
    return { body: `{"models":${Buffer.from(modelsJson).toString('utf8')}}` };
  },
});
