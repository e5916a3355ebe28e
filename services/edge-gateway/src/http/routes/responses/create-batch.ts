import { randomUUID } from 'node:crypto';
import {
  type BatchResult,
  type ResponsesBatchBody,
  type ResponsesBatchResponse,
  responsesBatchBody,
  responsesBatchResponse,
} from '@tollgate/api';
import { startCall } from '@tollgate/rpc';
import { batchItemId } from '../../../domain/batch-item-id.js';
import { cacheWish } from '../../hot/cache-header.js';
import { defineRoute } from '../../route.js';
import { BatchRun } from './run-batch.js';

/** Above the longest time that a batch may ask for. */
const TIMEOUT_MS = 3_605_000;

export const createBatch = defineRoute({
  method: 'POST',
  path: '/responses/batch',
  tag: 'Model responses',
  summary: 'Several requests in one call, each with a result of its own',
  auth: ['secret_key', 'customer'],
  body: responsesBatchBody,
  success: { status: 200, schema: responsesBatchResponse },
  idempotent: true,
  holdIds: (attemptId, { requests }: ResponsesBatchBody) => requests.map((_, index) => batchItemId(attemptId, index)),
  cacheable: true,
  timeoutMs: TIMEOUT_MS,
  handler: async ({ body, call, headers, ids }, ctx) => {
    const id = randomUUID();
    const { requestId, principal, signal } = call;
    const { timeout_ms: timeoutMs, max_concurrent: concurrency } = body.options;
    const deadline = startCall({ requestId, timeoutMs, signal, ...(principal && { principal }) });
    const results = await new BatchRun(ctx, id, body, cacheWish(headers), deadline, ids.billing).run(concurrency);
    const answer: ResponsesBatchResponse = { id, results, usage: sumOf(results) };
    return { body: answer };
  },
});

function sumOf(results: readonly BatchResult[]): ResponsesBatchResponse['usage'] {
  const sum = { input_tokens: 0, output_tokens: 0, total_tokens: 0 };
  for (const result of results) {
    if (result.status === 'error') continue;
    const { usage } = result.response;
    sum.input_tokens += usage.input_tokens;
    sum.output_tokens += usage.output_tokens;
    sum.total_tokens += usage.total_tokens;
  }
  return sum;
}
