import { z } from 'zod';
import { queryInteger } from '../../values/paging.js';
import { compatibleFileId, fileExpiry } from './files.js';

// Bodies and answers of `/v1/batches`. Sources: BatchCreateParams, Batch and BatchListParams of the official `openai` client
// library 6.49.

const METADATA_KEYS_MAX = 16;
const METADATA_KEY_CHARS_MAX = 64;
const METADATA_VALUE_CHARS_MAX = 512;
const ID_CHARS_MAX = 64;
const PAGE_MAX = 100;

/** Endpoints whose requests can be batched. */
export const batchEndpoints = ['/v1/chat/completions', '/v1/responses', '/v1/embeddings'] as const;

const metadata = z
  .record(z.string().min(1).max(METADATA_KEY_CHARS_MAX), z.string().max(METADATA_VALUE_CHARS_MAX))
  .refine(
    (pairs) => Object.keys(pairs).length <= METADATA_KEYS_MAX,
    `must not have more than ${METADATA_KEYS_MAX} keys`,
  );

export const createFileBatchBody = z.object({
  input_file_id: compatibleFileId,
  endpoint: z.enum(batchEndpoints, { error: `must be one of ${batchEndpoints.join(', ')}` }),
  completion_window: z.literal('24h', { error: 'must be 24h' }),
  metadata: metadata.nullish(),
  output_expires_after: fileExpiry.nullish(),
});

/** Path of `/v1/batches/{batch_id}`. */
export const batchParams = z.object({ batch_id: z.string().min(1).max(ID_CHARS_MAX) });

export const listBatchesQuery = z.object({
  limit: queryInteger(1, PAGE_MAX).default(20),
  after: z.string().min(1).max(ID_CHARS_MAX).optional(),
});

export const batchStatuses = [
  'validating',
  'failed',
  'in_progress',
  'finalizing',
  'completed',
  'expired',
  'cancelling',
  'cancelled',
] as const;

const batchError = z.object({
  code: z.string(),
  message: z.string(),
  /** Line of the input file, from 1. */
  line: z.int().nullable(),
  param: z.string().nullable(),
});

/** Seconds since 1970. */
const time = z.int().nullable();

export const batchSchema = z.object({
  id: z.string(),
  object: z.literal('batch'),
  endpoint: z.enum(batchEndpoints),
  errors: z.object({ object: z.literal('list'), data: z.array(batchError) }).nullable(),
  input_file_id: z.string(),
  completion_window: z.literal('24h'),
  status: z.enum(batchStatuses),
  /** The model of the first request. */
  model: z.string().optional(),
  output_file_id: z.string().nullable(),
  error_file_id: z.string().nullable(),
  created_at: z.int(),
  in_progress_at: time,
  expires_at: time,
  finalizing_at: time,
  completed_at: time,
  failed_at: time,
  expired_at: time,
  cancelling_at: time,
  cancelled_at: time,
  request_counts: z.object({ total: z.int(), completed: z.int(), failed: z.int() }),
  usage: z.object({
    input_tokens: z.int(),
    input_tokens_details: z.object({ cached_tokens: z.int() }),
    output_tokens: z.int(),
    output_tokens_details: z.object({ reasoning_tokens: z.int() }),
    total_tokens: z.int(),
  }),
  metadata: z.record(z.string(), z.string()).nullable(),
});

export const listBatchesResponse = z.object({
  object: z.literal('list'),
  data: z.array(batchSchema),
  first_id: z.string().nullable(),
  last_id: z.string().nullable(),
  has_more: z.boolean(),
});

export type Batch = z.output<typeof batchSchema>;
export type BatchEndpoint = (typeof batchEndpoints)[number];
export type BatchError = z.output<typeof batchError>;
