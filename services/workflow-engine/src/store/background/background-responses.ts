import type { Queryable, Tx } from '@tollgate/postgres';
import type { BackgroundStatus } from '../../domain/background/background-answer.js';

/** Who sees a response: its project, or callers that act for its customer. */
export interface BackgroundOwner {
  projectId: string;
  customerId: string | null;
}

export interface NewBackgroundResponse extends BackgroundOwner {
  id: string;
  accountId: string;
  principal: Uint8Array;
  traceparent: string | undefined;
  head: string;
  body: string;
  bytes: number;
  options: string;
  timeoutMs: number;
}

export interface BackgroundRow {
  id: string;
  head: string;
  status: BackgroundStatus;
  error: string | null;
  answer: string | null;
  attempt: number;
  superseded_attempt: number | null;
  is_dispatched: boolean;
}

export interface UnfinishedMax {
  projectResponses: number;
  customerResponses: number;
  projectBytes: number;
  customerBytes: number;
}

const COLUMNS = 'id, head, status, error, answer, attempt, superseded_attempt, is_dispatched';
/** `$1` to `$3`: id, project, and the customer whose responses alone are visible. */
const VISIBLE = 'id = $1 AND project_id = $2 AND ($3::uuid IS NULL OR customer_id = $3)';
const END = `ended_at = now(), lease_owner = NULL, lease_until = NULL, body = NULL`;

/** Serializes the insertions of a project until the transaction ends, so that its limits are exact. */
export async function lockInsertions(tx: Tx, projectId: string): Promise<void> {
  await tx.query({
    name: 'background_responses.lock_project',
    text: `SELECT pg_advisory_xact_lock(hashtextextended('background_responses/' || $1::text, 0))`,
    values: [projectId],
  });
}

/**
 * Stores a response, which a worker runs. Returns undefined when the project or its customer has too many unfinished ones, or too
 * large ones. The insertions of the project must be locked.
 */
export async function insertBackground(
  tx: Tx,
  response: NewBackgroundResponse,
  max: UnfinishedMax,
): Promise<BackgroundRow | undefined> {
  const result = await tx.query<BackgroundRow>({
    name: 'background_responses.insert',
    text: `
      INSERT INTO background_responses (id, account_id, project_id, customer_id, principal, traceparent, head, body, bytes,
                                        options, expires_at)
      SELECT $1, $2, $3::uuid, $4::uuid, $5, $6, $7, $8, $9::int, $10, now() + $11 * interval '1 ms'
      WHERE (SELECT count(*) < $12 AND coalesce(sum(bytes), 0) + $9 <= $13
                AND ($4 IS NULL OR (count(*) FILTER (WHERE customer_id = $4) < $14
                  AND coalesce(sum(bytes) FILTER (WHERE customer_id = $4), 0) + $9 <= $15))
             FROM background_responses WHERE project_id = $3 AND ended_at IS NULL)
      RETURNING ${COLUMNS}`,
    values: [
      response.id,
      response.accountId,
      response.projectId,
      response.customerId,
      response.principal,
      response.traceparent ?? null,
      response.head,
      response.body,
      response.bytes,
      response.options,
      response.timeoutMs,
      max.projectResponses,
      max.projectBytes,
      max.customerResponses,
      max.customerBytes,
    ],
  });
  return result.rows[0];
}

export async function findBackground(
  db: Queryable,
  { projectId, customerId }: BackgroundOwner,
  id: string,
): Promise<BackgroundRow | undefined> {
  const result = await db.query<BackgroundRow>({
    name: 'background_responses.find',
    text: `SELECT ${COLUMNS} FROM background_responses WHERE ${VISIBLE}`,
    values: [id, projectId, customerId],
  });
  return result.rows[0];
}

/** Ends an unfinished response without an answer: its lease is void. Returns undefined for any other. */
export async function cancelBackground(
  db: Queryable,
  { projectId, customerId }: BackgroundOwner,
  id: string,
): Promise<BackgroundRow | undefined> {
  const result = await db.query<BackgroundRow>({
    name: 'background_responses.cancel',
    text: `UPDATE background_responses SET status = 'cancelled', ${END} WHERE ${VISIBLE} AND ended_at IS NULL RETURNING ${COLUMNS}`,
    values: [id, projectId, customerId],
  });
  return result.rows[0];
}

/** Returns whether there was such a response. */
export async function deleteBackground(
  db: Queryable,
  { projectId, customerId }: BackgroundOwner,
  id: string,
): Promise<boolean> {
  const result = await db.query({
    name: 'background_responses.delete',
    text: `DELETE FROM background_responses WHERE ${VISIBLE}`,
    values: [id, projectId, customerId],
  });
  return result.rowCount === 1;
}

/** Deletes responses that ended longer than `retentionMs` ago. Returns their number. */
export async function purgeBackground(db: Queryable, retentionMs: number, limit: number): Promise<number> {
  const result = await db.query({
    name: 'background_responses.purge',
    text: `DELETE FROM background_responses WHERE id = ANY (ARRAY(
             SELECT id FROM background_responses WHERE ended_at < now() - $1 * interval '1 ms'
             ORDER BY ended_at LIMIT $2 FOR UPDATE SKIP LOCKED))`,
    values: [retentionMs, limit],
  });
  return result.rowCount ?? 0;
}
