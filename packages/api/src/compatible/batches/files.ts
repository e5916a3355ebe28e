import { z } from 'zod';
import { queryInteger } from '../../values/paging.js';

// Bodies and answers of `/v1/files`. Sources: FileCreateParams, FileObject and FileListParams of the official `openai` client
// library 6.49.

const HOUR_SECONDS = 3_600;
const EXPIRY_SECONDS_MAX = 2_592_000;
const ID_CHARS_MAX = 64;
const PAGE_MAX = 10_000;

/** Purposes with which files can be uploaded. */
export const uploadPurposes = ['batch', 'user_data', 'vision', 'assistants', 'evals'] as const;

const purpose = z.enum(uploadPurposes, {
  error: ({ input }) =>
    input === 'fine-tune'
      ? 'fine-tune is not supported: models are not trained here'
      : `must be one of ${uploadPurposes.join(', ')}`,
});

/** When a file expires, in JSON. */
export const fileExpiry = z.object({
  anchor: z.literal('created_at'),
  seconds: z.int().min(HOUR_SECONDS).max(EXPIRY_SECONDS_MAX),
});

/** Text fields of the form of `POST /v1/files`. Client libraries write nested fields with brackets. */
export const createFileForm = z
  .object({
    purpose,
    'expires_after[anchor]': z.literal('created_at').optional(),
    'expires_after[seconds]': queryInteger(HOUR_SECONDS, EXPIRY_SECONDS_MAX).optional(),
  })
  .refine((form) => (form['expires_after[anchor]'] === undefined) === (form['expires_after[seconds]'] === undefined), {
    path: ['expires_after'],
    message: 'needs both anchor and seconds',
  });

export const compatibleFileId = z.string().min(1).max(ID_CHARS_MAX);

/** Path of `/v1/files/{file_id}`. */
export const fileParams = z.object({ file_id: compatibleFileId });

export const listFilesQuery = z.object({
  limit: queryInteger(1, PAGE_MAX).default(PAGE_MAX),
  order: z.enum(['asc', 'desc']).default('desc'),
  after: compatibleFileId.optional(),
  purpose: z.string().max(ID_CHARS_MAX).optional(),
});

export const fileObjectSchema = z.object({
  id: z.string(),
  object: z.literal('file'),
  bytes: z.int(),
  /** Seconds since 1970. */
  created_at: z.int(),
  expires_at: z.int(),
  filename: z.string(),
  purpose: z.enum([...uploadPurposes, 'batch_output']),
  status: z.literal('processed'),
});

export const listFilesResponse = z.object({
  object: z.literal('list'),
  data: z.array(fileObjectSchema),
  first_id: z.string().nullable(),
  last_id: z.string().nullable(),
  has_more: z.boolean(),
});

export const deleteFileResponse = z.object({ id: z.string(), object: z.literal('file'), deleted: z.literal(true) });

export type FileObject = z.output<typeof fileObjectSchema>;
