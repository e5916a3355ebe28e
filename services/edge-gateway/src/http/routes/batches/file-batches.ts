import {
  batchParams,
  batchSchema,
  createFileBatchBody,
  listBatchesQuery,
  listBatchesResponse,
} from '@tollgate/api/compatible';
import { createMessage } from '@tollgate/contracts/codec';
import { PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { readIdempotencyKey } from '../../exchange/idempotency-key.js';
import { defineRoute } from '../../exchange/route.js';
import { allowsStorage } from '../../turns/run-stateful-turn.js';
import { pageJson } from './files.js';

/** The engine stores the idempotency key with the batch. */
export const createFileBatch = defineRoute({
  method: 'POST',
  path: '/v1/batches',
  tag: 'Compatible endpoints',
  summary: 'Run the requests of an uploaded file',
  operationId: 'createFileBatch',
  description:
    'Answers at once; follow the batch by its status. Each request is charged like a request of its own, and ends with a line in the output or the error file. Requests that have not run after 24 hours expire. With an `Idempotency-Key`, a repeat within 24 hours returns the same batch. Requests to `/v1/responses` may refer to stored responses, items and conversations, which are read when the request runs, and their answers are stored as if they were sent alone. The requests run in any order, so none may rely on the answer of another one.',
  auth: ['secret_key', 'customer'],
  forwardsIdempotencyKey: true,
  body: createFileBatchBody,
  success: { status: 200, schema: batchSchema },
  refusals: [409],
  errorShape: 'openai',
  async handler({ body, headers, principal, call }, ctx) {
    // The lines run as this principal, in a service that does not know the installation's default.
    const stated = createMessage(PrincipalSchema, { ...principal, responseStorage: allowsStorage(ctx, principal) });
    const { batchJson } = await ctx.clients.batches.createBatch(
      {
        inputFileId: body.input_file_id,
        endpoint: body.endpoint,
        metadataJson: body.metadata ? Buffer.from(JSON.stringify(body.metadata)) : new Uint8Array(0),
        outputExpiresAfterSeconds: body.output_expires_after?.seconds ?? 0,
        idempotencyKey: readIdempotencyKey(headers) ?? '',
      },
      call.with({ principal: stated }),
    );
    return { body: readBatch(batchJson) };
  },
});

/** Reads a batch that the engine has written in the vendor's shape. */
function readBatch(json: Uint8Array): { id: string } {
  return JSON.parse(Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString('utf8'));
}

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
