import type { BatchEndpoint } from '@tollgate/api/compatible';
import type { Queryable, Tx } from '@tollgate/postgres';
import type { BatchLine } from '../../domain/batches/batch-line.js';

/** A line that this process has leased. */
export interface LeasedLine {
  batchId: string;
  line: number;
  epoch: number;
}

/** A line to run. */
export interface LineItem extends LeasedLine {
  endpoint: BatchEndpoint;
  /** Whether the batch still wants an answer; otherwise only lost attempts are ended. */
  isWanted: boolean;
  principal: Uint8Array;
  traceparent: string | undefined;
  /** Size of the body, which is read when the line runs. */
  bytes: number;
  attempt: number;
  /** An earlier attempt whose outcome is unknown. */
  supersededAttempt: number | undefined;
  lost: number;
  tries: number;
  waits: number;
}

/** Stores lines of a batch. Returns the numbers of those that were stored; the others repeat a `custom_id`. */
export async function insertLines(
  tx: Tx,
  { batchId, accountId }: { batchId: string; accountId: string },
  lines: readonly BatchLine[],
): Promise<Set<number>> {
  const result = await tx.query<{ line: number }>({
    name: 'batch_lines.insert',
    text: `
      INSERT INTO batch_lines (batch_id, account_id, line, custom_id, body)
      SELECT $1, $2, l.line, l.custom_id, l.body FROM unnest($3::int[], $4::text[], $5::text[]) AS l (line, custom_id, body)
      ORDER BY l.line ON CONFLICT (batch_id, custom_id) DO NOTHING RETURNING line`,
    values: [
      batchId,
      accountId,
      lines.map(({ line }) => line),
      lines.map(({ customId }) => customId),
      lines.map(({ body }) => body),
    ],
  });
  return new Set(result.rows.map(({ line }) => line));
}

export interface LineLease {
  owner: string;
  leaseMs: number;
}

/** Returns the JSON of a leased line's request; undefined when the lease was lost. */
export async function readLineBody(db: Queryable, { batchId, line, epoch }: LeasedLine): Promise<string | undefined> {
  const result = await db.query<{ body: string }>({
    name: 'batch_lines.body',
    text: 'SELECT body FROM batch_lines WHERE batch_id = $1 AND line = $2 AND lease_epoch = $3 AND lease_owner IS NOT NULL',
    values: [batchId, line, epoch],
  });
  return result.rows[0]?.body;
}

/** Extends leases and returns the lines that are still held, as `batchId/line`. */
export async function extendLineLeases(
  db: Queryable,
  { owner, leaseMs }: LineLease,
  held: readonly LeasedLine[],
): Promise<Set<string>> {
  const result = await db.query<{ key: string }>({
    name: 'batch_lines.heartbeat',
    text: `
      UPDATE batch_lines l SET lease_until = now() + $2 * interval '1 ms'
      FROM unnest($3::uuid[], $4::int[], $5::int[]) AS h (batch_id, line, epoch)
      WHERE l.batch_id = h.batch_id AND l.line = h.line AND l.lease_epoch = h.epoch AND l.lease_owner = $1
      RETURNING l.batch_id || '/' || l.line AS key`,
    values: [
      owner,
      leaseMs,
      held.map(({ batchId }) => batchId),
      held.map(({ line }) => line),
      held.map(({ epoch }) => epoch),
    ],
  });
  return new Set(result.rows.map(({ key }) => key));
}

/** Records that the provider may serve the attempt from now on. Returns false when the lease was lost. */
export async function markLineDispatched(db: Queryable, { batchId, line, epoch }: LeasedLine): Promise<boolean> {
  const result = await db.query({
    name: 'batch_lines.dispatch',
    text: `UPDATE batch_lines SET is_dispatched = true
           WHERE batch_id = $1 AND line = $2 AND lease_epoch = $3 AND lease_owner IS NOT NULL`,
    values: [batchId, line, epoch],
  });
  return result.rowCount === 1;
}

export interface LineEnd {
  statusCode: number;
  answer: string;
  isSuccess: boolean;
  usage: { inputTokens: number; cachedTokens: number; outputTokens: number; reasoningTokens: number };
}

/** Stores the answer of a line and counts it in its batch. Changes nothing when the lease was lost. */
export async function endLine(db: Queryable, { batchId, line, epoch }: LeasedLine, end: LineEnd): Promise<void> {
  const { usage } = end;
  await db.query({
    name: 'batch_lines.end',
    text: `
      WITH ended AS (
        UPDATE batch_lines SET is_done = true, status_code = $4, answer = $5, lease_owner = NULL, lease_until = NULL
        WHERE batch_id = $1 AND line = $2 AND lease_epoch = $3 AND lease_owner IS NOT NULL RETURNING batch_id
      )
      UPDATE batches
      SET completed = completed + $6::boolean::int, failed = failed + (NOT $6::boolean)::int,
          input_tokens = input_tokens + $7, cached_tokens = cached_tokens + $8,
          output_tokens = output_tokens + $9, reasoning_tokens = reasoning_tokens + $10
      FROM ended WHERE batches.batch_id = ended.batch_id`,
    values: [
      batchId,
      line,
      epoch,
      end.statusCode,
      end.answer,
      end.isSuccess,
      usage.inputTokens,
      usage.cachedTokens,
      usage.outputTokens,
      usage.reasoningTokens,
    ],
  });
}

/**
 * How a line is run again.
 * - `same`: its attempt was not sent, and continues under its hold.
 * - `lost`: the outcome of its attempt is unknown; the next one supersedes it.
 * - `next`: its attempt has ended without an answer; the next one is independent.
 * - `recorded`: `lost` if the row says that the attempt was dispatched, otherwise `same`.
 */
export type NextRun = 'same' | 'lost' | 'next' | 'recorded';

export interface PutBack {
  delayMs: number;
  next: NextRun;
  /** `wait`: a service was unavailable. `try`: the attempt failed; their number is limited. */
  counts: 'try' | 'wait' | 'nothing';
}

/** Returns a line to the queue. Changes nothing when the lease was lost. */
export async function putBackLine(
  db: Queryable,
  { batchId, line, epoch }: LeasedLine,
  { delayMs, next, counts }: PutBack,
): Promise<void> {
  await db.query({
    name: 'batch_lines.put_back',
    text: `
      UPDATE batch_lines
      SET lease_owner = NULL, lease_until = NULL, due_at = date_trunc('milliseconds', now()) + $4 * interval '1 ms',
          is_dispatched = ($5 = 'lost' OR ($5 = 'recorded' AND is_dispatched)),
          attempt = attempt + ($5 = 'next')::int, tries = tries + ($6 = 'try')::int,
          waits = CASE $6 WHEN 'wait' THEN waits + 1 WHEN 'try' THEN 0 ELSE waits END
      WHERE batch_id = $1 AND line = $2 AND lease_epoch = $3 AND lease_owner IS NOT NULL`,
    values: [batchId, line, epoch, delayMs, next, counts],
  });
}

/** Ends a line that its batch no longer wants, after its lost attempt was superseded. */
export async function dropLine(db: Queryable, { batchId, line, epoch }: LeasedLine): Promise<void> {
  await db.query({
    name: 'batch_lines.drop',
    text: `
      UPDATE batch_lines SET lease_owner = NULL, lease_until = NULL, is_dispatched = false, superseded_attempt = NULL
      WHERE batch_id = $1 AND line = $2 AND lease_epoch = $3 AND lease_owner IS NOT NULL`,
    values: [batchId, line, epoch],
  });
}

export async function deleteLines(tx: Tx, batchId: string): Promise<void> {
  await tx.query({
    name: 'batch_lines.delete',
    text: 'DELETE FROM batch_lines WHERE batch_id = $1',
    values: [batchId],
  });
}
