import { z } from 'zod';
import { apiErrorSchema } from '../values/errors.js';
import { responseResource, responsesBody, responseUsage } from './responses.js';

const ITEMS_MAX = 1_000;
const CONCURRENT_MAX = 100;
const CONCURRENT = 10;
const TIMEOUT_MS_MAX = 3_600_000;
const TIMEOUT_MS = 600_000;

/** Each item is validated separately, so that an invalid item fails alone. The description shows the full schema. */
const batchItem = z.looseObject({ id: z.string().min(1).max(256) }).meta({
  /** Derived when the document is written, not at every start. */
  get allOf() {
    const { $schema: _, ...schema } = z.toJSONSchema(responsesBody, { io: 'input', unrepresentable: 'any' });
    return [schema];
  },
});

/** Usage of a batch; requests are counted by outcome. */
const batchUsage = responseUsage.pick({ input_tokens: true, output_tokens: true, total_tokens: true }).extend({
  total_input_tokens: z.int(),
  total_output_tokens: z.int(),
  total_requests: z.int(),
  successful_requests: z.int(),
  failed_requests: z.int(),
});

/** `POST /responses/batch`: requests that are each admitted, answered and charged separately. */
export const responsesBatchBody = z
  .object({
    requests: z.array(batchItem).min(1).max(ITEMS_MAX),
    options: z
      .object({
        max_concurrent: z.int().min(1).max(CONCURRENT_MAX).default(CONCURRENT),
        /** After the first error no further request starts; running requests finish. */
        fail_fast: z.boolean().default(false),
        /** Of the whole batch. */
        timeout_ms: z.int().min(1).max(TIMEOUT_MS_MAX).default(TIMEOUT_MS),
      })
      .prefault({}),
  })
  .superRefine(({ requests }, ctx) => {
    const seen = new Set<string>();
    for (const [index, { id }] of requests.entries()) {
      if (seen.has(id))
        ctx.addIssue({ code: 'custom', path: ['requests', index, 'id'], message: `is used twice: ${id}` });
      seen.add(id);
    }
  });

const batchResult = z.discriminatedUnion('status', [
  z.object({ id: z.string(), status: z.literal('success'), response: responseResource }),
  z.object({ id: z.string(), status: z.literal('error'), error: apiErrorSchema }),
]);

/** Results in the order of the requests; usage is the sum of the answered ones. */
export const responsesBatchResponse = z.object({
  id: z.guid(),
  results: z.array(batchResult),
  usage: batchUsage,
});

export type ResponsesBatchBody = z.output<typeof responsesBatchBody>;
export type BatchItem = ResponsesBatchBody['requests'][number];
export type BatchResult = z.output<typeof batchResult>;
export type ResponsesBatchResponse = z.output<typeof responsesBatchResponse>;
