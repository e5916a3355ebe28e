import type { Batch, BatchEndpoint } from '@tollgate/api/compatible';
import { toBatchId, toFileId } from './batch-ids.js';

export type { BatchEndpoint };
export type BatchStatus = Batch['status'];
/** The last status of a batch that was validated. */
export type BatchOutcome = 'completed' | 'expired' | 'cancelled';

/** The columns of a batch that a client sees; JSON is text. */
export interface BatchRecord {
  batch_id: string;
  endpoint: BatchEndpoint;
  input_file_id: string;
  metadata: string | null;
  status: BatchStatus;
  errors: string | null;
  model: string | null;
  total: number;
  completed: number;
  failed: number;
  input_tokens: bigint;
  cached_tokens: bigint;
  output_tokens: bigint;
  reasoning_tokens: bigint;
  output_file_id: string | null;
  error_file_id: string | null;
  created_at: Date;
  expires_at: Date;
  in_progress_at: Date | null;
  finalizing_at: Date | null;
  completed_at: Date | null;
  failed_at: Date | null;
  expired_at: Date | null;
  canceling_at: Date | null;
  canceled_at: Date | null;
}

/** Returns a batch in the vendor's shape. */
export function toBatch(row: BatchRecord): Batch {
  const [inputTokens, outputTokens] = [Number(row.input_tokens), Number(row.output_tokens)];
  return {
    id: toBatchId(row.batch_id),
    object: 'batch',
    endpoint: row.endpoint,
    errors: row.errors === null ? null : { object: 'list', data: JSON.parse(row.errors) },
    input_file_id: toFileId(row.input_file_id),
    completion_window: '24h',
    status: row.status,
    ...(row.model !== null && { model: row.model }),
    output_file_id: row.output_file_id && toFileId(row.output_file_id),
    error_file_id: row.error_file_id && toFileId(row.error_file_id),
    created_at: toSeconds(row.created_at),
    in_progress_at: toTime(row.in_progress_at),
    expires_at: toSeconds(row.expires_at),
    finalizing_at: toTime(row.finalizing_at),
    completed_at: toTime(row.completed_at),
    failed_at: toTime(row.failed_at),
    expired_at: toTime(row.expired_at),
    cancelling_at: toTime(row.canceling_at),
    cancelled_at: toTime(row.canceled_at),
    request_counts: { total: row.total, completed: row.completed, failed: row.failed },
    usage: {
      input_tokens: inputTokens,
      input_tokens_details: { cached_tokens: Number(row.cached_tokens) },
      output_tokens: outputTokens,
      output_tokens_details: { reasoning_tokens: Number(row.reasoning_tokens) },
      total_tokens: inputTokens + outputTokens,
    },
    metadata: row.metadata === null ? null : JSON.parse(row.metadata),
  };
}

export function toSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1_000);
}

function toTime(time: Date | null): number | null {
  return time && toSeconds(time);
}
