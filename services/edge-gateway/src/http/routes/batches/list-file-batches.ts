import { listBatchesQuery, listBatchesResponse } from '@tollgate/api/compatible';
import { defineRoute } from '../../exchange/route.js';
import { readBatch } from './create-file-batch.js';
import { pageJson } from './file-json.js';

export const listFileBatches = defineRoute({
  method: 'GET',
  path: '/v1/batches',
  tag: 'Compatible endpoints',
  summary: 'List batches, newest first',
  operationId: 'listFileBatches',
  description: 'A customer lists its own batches, a project also those of its customers.',
  auth: ['secret_key', 'customer'],
  query: listBatchesQuery,
  success: { status: 200, schema: listBatchesResponse },
  errorShape: 'openai',
  async handler({ query: { limit, after = '' }, call }, ctx) {
    const { batchesJson, hasMore } = await ctx.clients.batches.listBatches({ limit, after }, call);
    return { body: pageJson(batchesJson.map(readBatch), hasMore) };
  },
});
