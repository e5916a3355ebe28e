import type { BatchEndpoint } from '@tollgate/api/compatible';
import type { Queryable, Tx } from '@tollgate/postgres';
import type { BatchLine } from '../../domain/batches/batch-line.js';
import * as sql from '../gen/batches/batch-lines.js';
import { type ClaimedRequest, createRequestStore, type RequestStore } from '../queues/queued-requests.js';

/** A line that this process has leased. */
export interface LeasedLine {
  batchId: string;
  line: number;
  epoch: number;
}

/** A line to run. */
export interface LineItem extends LeasedLine, ClaimedRequest {
  endpoint: BatchEndpoint;
  /** Whether the batch still wants an answer; otherwise only lost attempts are ended. */
  isWanted: boolean;
}

interface LineRow {
  batch_id: string;
  line: number;
  endpoint: BatchEndpoint;
  is_wanted: boolean;
}

/** The batches of an account or of a caller that one claim visits: more than a project may have. */
const BATCHES_VISITED_MAX = 256;

const IN_PROGRESS = `ended_at IS NULL AND status = 'in_progress'`;
const CLAIMABLE = 'NOT is_done AND lease_until IS NULL';
const CALLER = 'coalesce(customer_id, project_id)';

/** Returns SQL that says whether the batches of an account, or those of one of its callers, have a due line. */
function hasDueLine(owner: string): string {
  return `EXISTS (
    SELECT FROM (SELECT batch_id FROM batches b WHERE ${owner} AND ${IN_PROGRESS} LIMIT ${BATCHES_VISITED_MAX}) AS b
    CROSS JOIN LATERAL (
      SELECT FROM batch_lines l WHERE l.batch_id = b.batch_id AND ${CLAIMABLE} AND l.due_at <= now() LIMIT 1) AS l)`;
}

/**
 * The lines of batches as requests. Batches that want no answers any more have abandoned lines: those with a lost attempt, which has to be
 * superseded.
 */
export const batchLines: RequestStore<LineItem> = createRequestStore<LineRow, LineItem>({
  name: 'batch_lines',
  key: [
    { column: 'batch_id', type: 'uuid' },
    { column: 'line', type: 'int' },
  ],
  toKey: ({ batchId, line }) => [batchId, line],
  toItem: (row, request) => ({
    ...request,
    batchId: row.batch_id,
    line: row.line,
    endpoint: row.endpoint,
    isWanted: row.is_wanted,
  }),
  unfinished: 'NOT r.is_done',
  running: 'r.lease_until IS NOT NULL',
  size: 'octet_length(r.body)',
  owner: 'JOIN batches b USING (batch_id)',
  caller: CALLER,
  accounts: {
    table: 'batches',
    where: IN_PROGRESS,
    isOpen: `now() >= (SELECT min(due_at) FROM batch_lines l WHERE l.account_id = next.account_id AND ${CLAIMABLE})
      AND ${hasDueLine('b.account_id = next.account_id')}`,
  },
  callers: {
    table: 'batches',
    key: CALLER,
    where: IN_PROGRESS,
    isDue: hasDueLine(`b.account_id = account.account_id AND ${CALLER} = walk.caller`),
  },
  oldest: ({ account, caller, weight, limit }) => `
    SELECT r.* FROM (
      SELECT batch_id FROM batches WHERE account_id = ${account} AND ${CALLER} = ${caller} AND ${IN_PROGRESS}
      ORDER BY batch_id LIMIT ${BATCHES_VISITED_MAX}) AS b
    CROSS JOIN LATERAL (
      SELECT r.batch_id, r.line, ${weight} AS weight FROM batch_lines r
      WHERE r.batch_id = b.batch_id AND ${CLAIMABLE} AND r.due_at <= now() ORDER BY r.due_at, r.line LIMIT ${limit}) AS r
    LIMIT ${limit}`,
  order: 'batch_id, line',
  abandoned: ({ weight, limit }) => `
    SELECT r.* FROM (
      SELECT batch_id FROM batches WHERE ended_at IS NULL AND status NOT IN ('validating', 'in_progress')
      ORDER BY batch_id LIMIT ${BATCHES_VISITED_MAX}) AS b
    CROSS JOIN LATERAL (
      SELECT r.batch_id, r.line, ${weight} AS weight FROM batch_lines r
      WHERE r.batch_id = b.batch_id AND ${CLAIMABLE} AND (r.is_dispatched OR r.superseded_attempt IS NOT NULL)
      LIMIT ${limit}) AS r LIMIT ${limit}`,
  columns: ['b.endpoint', `b.status = 'in_progress' AS is_wanted`, 'b.principal', 'b.traceparent'],
  lockClass: 7_223_061,
});

/** Stores lines of a batch. Returns the numbers of those that were stored; the others repeat a `custom_id`. */
export async function insertLines(
  tx: Tx,
  { batchId, accountId }: { batchId: string; accountId: string },
  lines: readonly BatchLine[],
): Promise<Set<number>> {
  const stored = await sql.insertLines(tx, { batchId, accountId, lines });
  return new Set(stored.map(({ line }) => line));
}

export interface LineEnd {
  statusCode: number;
  answer: string;
  isSuccess: boolean;
  usage: { inputTokens: number; cachedTokens: number; outputTokens: number; reasoningTokens: number };
}

/** Stores the answer of a line and counts it in its batch, which the last line moves on. Changes nothing when the lease was lost. */
export async function endLine(db: Queryable, line: LeasedLine, { usage, ...end }: LineEnd): Promise<void> {
  await sql.endLine(db, { ...line, ...end, ...usage });
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
