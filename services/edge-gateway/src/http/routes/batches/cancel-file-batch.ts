import { batchParams, batchSchema } from '@tollgate/api/compatible';
import { defineRoute } from '../../exchange/route.js';
import { readBatch } from './create-file-batch.js';

export const cancelFileBatch = defineRoute({
  method: 'POST',
  path: '/v1/batches/:batch_id/cancel',
  tag: 'Compatible endpoints',
  summary: 'Cancel a batch',
  operationId: 'cancelFileBatch',
  description:
    'Requests in progress are completed and charged; the others are not started. Canceling again changes nothing.',
  auth: ['secret_key', 'customer'],
  params: batchParams,
  success: { status: 200, schema: batchSchema },
  refusals: [409],
  errorShape: 'openai',
  async handler({ params, call }, ctx) {
    const { batchJson } = await ctx.clients.batches.cancelBatch({ id: params.batch_id }, call);
    return { body: readBatch(batchJson) };
  },
});
