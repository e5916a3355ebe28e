import { batchParams, batchSchema } from '@tollgate/api/compatible';
import { defineRoute } from '../../exchange/route.js';
import { readBatch } from './create-file-batch.js';

export const getFileBatch = defineRoute({
  method: 'GET',
  path: '/v1/batches/:batch_id',
  tag: 'Compatible endpoints',
  summary: 'Get a batch',
  operationId: 'getFileBatch',
  description: 'A customer reads its own batches, a project also those of its customers.',
  auth: ['secret_key', 'customer'],
  params: batchParams,
  success: { status: 200, schema: batchSchema },
  errorShape: 'openai',
  async handler({ params, call }, ctx) {
    const { batchJson } = await ctx.clients.batches.getBatch({ id: params.batch_id }, call);
    return { body: readBatch(batchJson) };
  },
});
