import { randomUUID } from 'node:crypto';
import type { BatchEndpoint } from '@tollgate/api/compatible';
import type { Queryable, Tx } from '@tollgate/postgres';
import type { LineResult } from '../../domain/batches/answer-line.js';
import type { BatchLine } from '../../domain/batches/batch-line.js';
import * as sql from '../gen/batches/batch-lines.js';
import * as claims from '../gen/batches/claim-lines.js';
import { type ClaimedRequest, type RequestStore, toRequest } from '../queues/queued-requests.js';
import { toAccountVisit } from '../queues/walk.js';

/** Class of the advisory locks of accounts whose lines are claimed. */
export const LINE_LOCK_CLASS = 7_223_061;

/** A line that this process has leased. */
interface LeasedLine {
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

/** The lines of batches as requests. */
export const batchLines: RequestStore<LineItem> = {
  async claim(tx, lease, bounds, after) {
    const visit = toAccountVisit(await claims.visitLineAccounts(tx, { ...bounds, after }));
    const accounts = { accountIds: visit.keys, from: randomUUID() };
    const due = visit.keys.length === 0 ? [] : await claims.findDueLines(tx, { ...bounds, ...accounts });
    const rows = await claims.leaseLines(tx, { ...lease, ...bounds, due });
    return { ...visit, items: rows.map(toItem) };
  },
  async extend(db, lease, items) {
    const held = {
      batchIds: items.map(({ batchId }) => batchId),
      lines: items.map(({ line }) => line),
      epochs: items.map(({ epoch }) => epoch),
    };
    return new Set((await sql.extendLines(db, { ...lease, ...held })).map(({ key }) => key));
  },
  readBody: async (db, item) => (await sql.readLineBody(db, item))?.body,
  markDispatched: async (db, item) => (await sql.dispatchLine(db, item)) === 1,
  putBack: (db, item, how) => sql.putBackLine(db, { ...item, ...how }),
  toKey: ({ batchId, line }) => `${batchId}/${line}`,
};

function toItem(row: claims.LeaseLinesRow): LineItem {
  const { batch_id: batchId, line, endpoint, is_wanted: isWanted } = row;
  return { ...toRequest(row), batchId, line, endpoint, isWanted };
}

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

/**
 * Reads a page of results in the order of the input, after a line; an empty page is the end. A page ends with the answer that fills
 * its bytes. `requestId` is filled by the caller.
 */
export async function readResults(
  tx: Tx,
  batchId: string,
  after: number,
  { lines, bytes }: { lines: number; bytes: number },
): Promise<(Omit<LineResult, 'requestId'> & { attempt: number })[]> {
  const result = await tx.query<{
    line: number;
    custom_id: string;
    status_code: number | null;
    answer: string | null;
    attempt: number;
  }>({
    name: 'batch_lines.results',
    text: `
      SELECT line, custom_id, status_code, answer, attempt FROM (
        SELECT p.*, sum(coalesce(octet_length(answer), 0)) OVER (ORDER BY line) - coalesce(octet_length(answer), 0) AS before
        FROM (SELECT line, custom_id, status_code, answer, attempt FROM batch_lines
              WHERE batch_id = $1 AND line > $2 ORDER BY line LIMIT $3) AS p) AS q
      WHERE before < $4 ORDER BY line`,
    values: [batchId, after, lines, bytes],
  });
  return result.rows.map((row) => ({
    line: row.line,
    customId: row.custom_id,
    statusCode: row.status_code,
    answer: row.answer,
    attempt: row.attempt,
  }));
}
