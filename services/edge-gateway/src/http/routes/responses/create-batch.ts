import { randomUUID } from 'node:crypto';
import {
  type BatchResult,
  type ResponsesBatchBody,
  type ResponsesBatchResponse,
  responsesBatchBody,
  responsesBatchResponse,
} from '@tollgate/api/model-requests';
import { startCall } from '@tollgate/rpc';
import { batchItemId } from '../../../domain/batch-item-id.js';
import { defineRoute } from '../../exchange/route.js';
import { readCacheHeader } from '../../turns/run-turn.js';
import { BatchRun } from './run-batch.js';

/** Longer than the maximum timeout of a batch. */
const TIMEOUT_MS = 3_605_000;

export const createBatch = defineRoute({
  method: 'POST',
  path: '/responses/batch',
  tag: 'Model responses',
  summary: 'Run several requests in one call, each with its own result',
  operationId: 'createResponseBatch',
  description:
    'Each result has its own status: a bad request fails alone. Only a malformed envelope or duplicate ids refuse the whole batch.',
  auth: ['secret_key', 'customer'],
  body: responsesBatchBody,
  bodyClass: 'generating',
  success: { status: 200, schema: responsesBatchResponse },
  idempotent: true,
  holdIds: (attemptId, { requests }: ResponsesBatchBody) => requests.map((_, index) => batchItemId(attemptId, index)),
  cacheable: true,
  timeoutMs: TIMEOUT_MS,
  handler: async ({ body, call, headers, ids, record }, ctx) => {
    const id = randomUUID();
    const { requestId, principal, signal, traceparent } = call;
    const { timeout_ms: timeoutMs, max_concurrent: concurrency } = body.options;
    const deadline = startCall({ requestId, principal, timeoutMs, signal, traceparent });
    const attempt = { id: ids.holdId, record };
    const results = await new BatchRun(ctx, id, body, readCacheHeader(headers), deadline, attempt).run(concurrency);
    const answer: ResponsesBatchResponse = { id, results, usage: sumUsage(results) };
    return { body: answer };
  },
});

function sumUsage(results: readonly BatchResult[]): ResponsesBatchResponse['usage'] {
  const answered = results.flatMap((result) => (result.status === 'success' ? [result.response.usage] : []));
  const sumOfAll = (name: 'input_tokens' | 'output_tokens' | 'total_tokens'): number =>
    answered.reduce((sum, usage) => sum + usage[name], 0);
  const [inputTokens, outputTokens] = [sumOfAll('input_tokens'), sumOfAll('output_tokens')];
  return {
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    total_input_tokens: inputTokens,
    total_output_tokens: outputTokens,
    total_tokens: sumOfAll('total_tokens'),
    total_requests: results.length,
    successful_requests: answered.length,
    failed_requests: results.length - answered.length,
  };
}
