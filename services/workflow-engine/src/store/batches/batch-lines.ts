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
}

interface ClaimedRow {
  batch_id: string;
  line: number;
  lease_epoch: number;
  endpoint: BatchEndpoint;
  is_wanted: boolean;
  principal: Buffer;
  traceparent: string | null;
  bytes: number;
  attempt: number;
  superseded_attempt: number | null;
  lost: number;
  tries: number;
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

/** Serializes claims of all processes, so that the concurrency of an account is exact. */
const CLAIM_LOCK = 'SELECT pg_advisory_xact_lock(7223061)';

/**
 * Lines of lost leases come first, then lost attempts of batches that have ended, then due lines: of each
 * account the oldest, and the accounts with the fewest lines in progress first.
 */
const CLAIM = `
  WITH active AS (
    SELECT batch_id, account_id FROM batches WHERE ended_at IS NULL AND status = 'in_progress' ORDER BY batch_id LIMIT 10000
  ), held AS (
    SELECT a.account_id, l.count, l.bytes
    FROM (SELECT DISTINCT account_id FROM active) AS a CROSS JOIN LATERAL (
      SELECT count(*)::int, coalesce(sum(octet_length(body)), 0) AS bytes FROM batch_lines
      WHERE account_id = a.account_id AND lease_until IS NOT NULL) AS l
  ), expired AS (
    SELECT batch_id, line, 0 AS turn FROM batch_lines WHERE lease_until < now() ORDER BY lease_until LIMIT $3
  ), unwanted AS (
    SELECT l.batch_id, l.line, 0 AS turn FROM batch_lines l JOIN batches b USING (batch_id)
    WHERE NOT l.is_done AND l.lease_until IS NULL AND (l.is_dispatched OR l.superseded_attempt IS NOT NULL)
      AND b.status <> 'in_progress' AND l.due_at <= now() LIMIT $3
  ), due AS (
    SELECT d.batch_id, d.line, (h.count + d.rank)::int AS turn
    FROM held h CROSS JOIN LATERAL (
      SELECT l.batch_id, l.line, row_number() OVER (ORDER BY l.batch_id, l.line) AS rank,
        sum(l.bytes) OVER (ORDER BY l.batch_id, l.line) - l.bytes AS before
      FROM active b CROSS JOIN LATERAL (
        SELECT batch_id, line, octet_length(body) AS bytes FROM batch_lines
        WHERE account_id = h.account_id AND batch_id = b.batch_id AND NOT is_done AND lease_until IS NULL AND due_at <= now()
        ORDER BY line LIMIT $4) AS l
      WHERE b.account_id = h.account_id
      ORDER BY l.batch_id, l.line LIMIT greatest(0, $4 - h.count)) AS d
    WHERE h.bytes + d.before < $6
  ), queue AS (
    SELECT * FROM expired UNION ALL SELECT * FROM unwanted UNION ALL SELECT * FROM due ORDER BY turn, batch_id, line LIMIT $3
  ), picked AS (
    SELECT batch_id, line FROM (
      SELECT batch_id, line, sum(octet_length(body)) OVER (ORDER BY turn, batch_id, line) - octet_length(body) AS before
      FROM queue JOIN batch_lines USING (batch_id, line)) AS q
    WHERE before < $5
  )
  UPDATE batch_lines l
  SET lease_owner = $1, lease_epoch = lease_epoch + 1, lease_until = now() + $2 * interval '1 ms',
      attempt = attempt + is_dispatched::int, lost = lost + is_dispatched::int,
      superseded_attempt = CASE WHEN is_dispatched THEN attempt ELSE superseded_attempt END, is_dispatched = false
  FROM picked p JOIN batches b USING (batch_id)
  WHERE l.batch_id = p.batch_id AND l.line = p.line
  RETURNING l.batch_id, l.line, l.lease_epoch, b.endpoint, b.status = 'in_progress' AS is_wanted, b.principal, b.traceparent,
    octet_length(l.body) AS bytes, l.attempt, l.superseded_attempt, l.lost, l.tries`;

export interface LineLease {
  owner: string;
  leaseMs: number;
}

/**
 * Lines are leased as long as those before them have fewer bytes, so the sum exceeds the bound by less than one line. The bounds of
 * an account count in all processes together.
 */
export interface ClaimBounds {
  slots: number;
  perAccount: number;
  bytes: number;
  accountBytes: number;
}

/** Leases lines to this process. */
export async function claimLines(
  tx: Tx,
  { owner, leaseMs }: LineLease,
  { slots, perAccount, bytes, accountBytes }: ClaimBounds,
): Promise<LineItem[]> {
  await tx.query(CLAIM_LOCK);
  const values = [owner, leaseMs, slots, perAccount, bytes, accountBytes];
  const result = await tx.query<ClaimedRow>({ name: 'batch_lines.claim', text: CLAIM, values });
  return result.rows.map(toItem);
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

/** Returns a line to the queue. Changes nothing when the lease was lost. */
export async function putBackLine(
  db: Queryable,
  { batchId, line, epoch }: LeasedLine,
  { delayMs, next, countsAsTry }: { delayMs: number; next: NextRun; countsAsTry: boolean },
): Promise<void> {
  await db.query({
    name: 'batch_lines.put_back',
    text: `
      UPDATE batch_lines
      SET lease_owner = NULL, lease_until = NULL, due_at = date_trunc('milliseconds', now()) + $4 * interval '1 ms',
          is_dispatched = ($5 = 'lost' OR ($5 = 'recorded' AND is_dispatched)),
          attempt = attempt + ($5 = 'next')::int, tries = tries + $6::int
      WHERE batch_id = $1 AND line = $2 AND lease_epoch = $3 AND lease_owner IS NOT NULL`,
    values: [batchId, line, epoch, delayMs, next, countsAsTry ? 1 : 0],
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

function toItem(row: ClaimedRow): LineItem {
  return {
    batchId: row.batch_id,
    line: row.line,
    epoch: row.lease_epoch,
    endpoint: row.endpoint,
    isWanted: row.is_wanted,
    principal: row.principal,
    traceparent: row.traceparent ?? undefined,
    bytes: row.bytes,
    attempt: row.attempt,
    supersededAttempt: row.superseded_attempt ?? undefined,
    lost: row.lost,
    tries: row.tries,
  };
}
