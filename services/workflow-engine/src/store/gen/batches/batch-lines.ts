// Generated from batches/batch-lines.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';
import { arrayLiteral, bigintArray, textArray } from '@tollgate/postgres/columns';

/** A row of `lines`. */
export interface InsertLinesLinesRow {
  line: number;
  customId: string;
  body: string;
}

export interface InsertLinesInput {
  batchId: string;
  accountId: string;
  lines: readonly InsertLinesLinesRow[];
}

export interface InsertLinesRow {
  line: number;
}

const INSERT_LINES = `
  INSERT INTO batch_lines (batch_id, account_id, line, custom_id, body)
  SELECT $1, $2, l.line, l.custom_id, l.body FROM (SELECT ($5::bigint[])[nth.i]::int AS line, nth.custom_id, nth.body FROM unnest($3::text[], $4::text[]) WITH ORDINALITY AS nth (custom_id, body, i)) AS l ORDER BY l.line
  ON CONFLICT (batch_id, custom_id) DO NOTHING
  RETURNING line`;

/** Stores lines of a batch. Returns the numbers of those that were stored; the others repeat a `custom_id`. */
export async function insertLines(db: Queryable, input: InsertLinesInput): Promise<InsertLinesRow[]> {
  const { rows } = await db.query<InsertLinesRow>({
    name: 'insert_lines',
    text: INSERT_LINES,
    values: [
      input.batchId,
      input.accountId,
      textArray(input.lines.map((r) => r.customId)),
      textArray(input.lines.map((r) => r.body)),
      bigintArray(input.lines, [(r) => r.line]),
    ],
  });
  return rows;
}

export interface EndLineInput {
  statusCode: number;
  answer: string;
  batchId: string;
  line: number;
  epoch: number;
  isSuccess: boolean;
  inputTokens: bigint | number;
  cachedTokens: bigint | number;
  outputTokens: bigint | number;
  reasoningTokens: bigint | number;
}

const END_LINE = `
  WITH ended AS (
    UPDATE batch_lines
    SET is_done = true, status_code = $1, answer = $2, lease_owner = NULL, lease_until = NULL
    WHERE batch_id = $3 AND line = $4 AND lease_epoch = $5 AND lease_owner IS NOT NULL
    RETURNING batch_id
  )
  UPDATE batches
  SET completed = completed + $6::boolean::int, failed = failed + (NOT $6::boolean)::int,
    status = CASE WHEN status = 'in_progress' AND completed + failed + 1 = total THEN 'finalizing' ELSE status END,
    finalizing_at = CASE WHEN status = 'in_progress' AND completed + failed + 1 = total THEN now() ELSE finalizing_at END,
    input_tokens = input_tokens + $7, cached_tokens = cached_tokens + $8,
    output_tokens = output_tokens + $9, reasoning_tokens = reasoning_tokens + $10
  FROM ended
  WHERE batches.batch_id = ended.batch_id`;

/** Stores the answer of a line and counts it in its batch, which the last line moves on. Changes nothing when the lease was lost. */
export async function endLine(db: Queryable, input: EndLineInput): Promise<void> {
  await db.query({
    name: 'end_line',
    text: END_LINE,
    values: [
      input.statusCode,
      input.answer,
      input.batchId,
      input.line,
      input.epoch,
      input.isSuccess,
      input.inputTokens,
      input.cachedTokens,
      input.outputTokens,
      input.reasoningTokens,
    ],
  });
}

export interface ExtendLinesInput {
  leaseMs: number;
  batchIds: readonly string[];
  lines: readonly number[];
  epochs: readonly number[];
  owner: string;
}

export interface ExtendLinesRow {
  key: string;
}

const EXTEND_LINES = `
  UPDATE batch_lines r
  SET lease_until = now() + $1 * interval '1 ms'
  FROM unnest($2::uuid[], $3::int[], $4::int[]) AS h (batch_id, line, epoch)
  WHERE r.batch_id = h.batch_id AND r.line = h.line AND r.lease_epoch = h.epoch AND r.lease_owner = $5
  RETURNING concat_ws('/', r.batch_id, r.line) AS "key"`;

/** Extends leases and returns the keys of the requests that are still held. */
export async function extendLines(db: Queryable, input: ExtendLinesInput): Promise<ExtendLinesRow[]> {
  const { rows } = await db.query<ExtendLinesRow>({
    name: 'extend_lines',
    text: EXTEND_LINES,
    values: [
      input.leaseMs,
      arrayLiteral(input.batchIds),
      arrayLiteral(input.lines),
      arrayLiteral(input.epochs),
      input.owner,
    ],
  });
  return rows;
}

export interface ReadLineBodyInput {
  batchId: string;
  line: number;
  epoch: number;
}

export interface ReadLineBodyRow {
  body: string;
}

const READ_LINE_BODY = `
  SELECT body FROM batch_lines WHERE batch_id = $1 AND line = $2 AND lease_epoch = $3 AND lease_owner IS NOT NULL`;

export async function readLineBody(db: Queryable, input: ReadLineBodyInput): Promise<ReadLineBodyRow | undefined> {
  const { rows } = await db.query<ReadLineBodyRow>({
    name: 'read_line_body',
    text: READ_LINE_BODY,
    values: [
      input.batchId,
      input.line,
      input.epoch,
    ],
  });
  return rows[0];
}

export interface DispatchLineInput {
  batchId: string;
  line: number;
  epoch: number;
}

const DISPATCH_LINE = `
  UPDATE batch_lines SET is_dispatched = true
  WHERE batch_id = $1 AND line = $2 AND lease_epoch = $3 AND lease_owner IS NOT NULL`;

/** Records that the provider may serve the attempt from now on. */
export async function dispatchLine(db: Queryable, input: DispatchLineInput): Promise<number> {
  const { rowCount } = await db.query({
    name: 'dispatch_line',
    text: DISPATCH_LINE,
    values: [
      input.batchId,
      input.line,
      input.epoch,
    ],
  });
  return rowCount ?? 0;
}

export interface PutBackLineInput {
  delayMs: number;
  next: string;
  counts: string;
  batchId: string;
  line: number;
  epoch: number;
}

const PUT_BACK_LINE = `
  UPDATE batch_lines
  SET lease_owner = NULL, lease_until = NULL, due_at = date_trunc('milliseconds', now()) + $1 * interval '1 ms',
    is_dispatched = ($2 = 'lost' OR ($2 = 'recorded' AND is_dispatched)),
    attempt = attempt + ($2 = 'next')::int, tries = tries + ($3 = 'try')::int,
    waits = CASE $3 WHEN 'wait' THEN waits + 1 WHEN 'try' THEN 0 ELSE waits END
  WHERE batch_id = $4 AND line = $5 AND lease_epoch = $6 AND lease_owner IS NOT NULL`;

/** Returns a request to the queue. */
export async function putBackLine(db: Queryable, input: PutBackLineInput): Promise<void> {
  await db.query({
    name: 'put_back_line',
    text: PUT_BACK_LINE,
    values: [
      input.delayMs,
      input.next,
      input.counts,
      input.batchId,
      input.line,
      input.epoch,
    ],
  });
}
