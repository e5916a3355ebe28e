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
  /** The head once the response has ended without an answer; undefined for the whole head. */
  endedHead: string | undefined;
  body: string;
  bytes: number;
  options: string;
  timeoutMs: number;
  holdTtlMs: number;
  isStreamed: boolean;
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
  is_streamed: boolean;
  last_event: number;
}

export interface UnfinishedMax {
  projectResponses: number;
  customerResponses: number;
  projectBytes: number;
  customerBytes: number;
}

const COLUMNS = 'id, head, status, error, answer, attempt, superseded_attempt, is_dispatched, is_streamed, last_event';
/** `$1` to `$3`: id, project, and the customer whose responses alone are visible. */
const VISIBLE = `id = $1 AND project_id = $2 AND ($3::uuid IS NULL OR customer_id = $3) AND status <> 'discarded'`;
const END = `ended_at = now(), lease_owner = NULL, lease_until = NULL, body = NULL, head = coalesce(ended_head, head), ended_head = NULL,
  bytes = octet_length(coalesce(ended_head, head))`;
/** For how long the id of a discarded response is kept: far longer than a creation takes. */
const DISCARDED_MS = 3_600_000;

/** Stores a response, which a worker runs. Returns undefined when there is one with this id. */
export async function insertBackground(tx: Tx, response: NewBackgroundResponse): Promise<BackgroundRow | undefined> {
  const result = await tx.query<BackgroundRow>({
    name: 'background_responses.insert',
    text: `
      INSERT INTO background_responses (id, account_id, project_id, customer_id, principal, traceparent, head, ended_head, body,
                                        bytes, options, expires_at, hold_ttl_ms, hold_due_at, is_streamed)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, now() + $12 * interval '1 ms',
              $13, now() + $13::int / 3 * interval '1 ms', $14)
      ON CONFLICT (id) DO NOTHING RETURNING ${COLUMNS}`,
    values: [
      response.id,
      response.accountId,
      response.projectId,
      response.customerId,
      response.principal,
      response.traceparent ?? null,
      response.head,
      response.endedHead ?? null,
      response.body,
      response.bytes,
      response.options,
      response.timeoutMs,
      response.holdTtlMs,
      response.isStreamed,
    ],
  });
  return result.rows[0];
}

/**
 * Whether the unfinished responses of the project and of the customer are within their limits, together with one of `newBytes` that is
 * not stored yet. The result is exact while the project is locked.
 */
export async function isWithinLimits(
  tx: Tx,
  { projectId, customerId }: BackgroundOwner,
  max: UnfinishedMax,
  newBytes?: number,
): Promise<boolean> {
  const { projectResponses, projectBytes, customerResponses, customerBytes } = max;
  const result = await tx.query<{ is_within: boolean }>({
    name: 'background_responses.within_limits',
    text: `
      SELECT count(*) + $7 <= $3 AND coalesce(sum(bytes), 0) + $8 <= $4
         AND ($2::uuid IS NULL OR (count(*) FILTER (WHERE customer_id = $2) + $7 <= $5
           AND coalesce(sum(bytes) FILTER (WHERE customer_id = $2), 0) + $8 <= $6)) AS is_within
      FROM background_responses WHERE project_id = $1 AND ended_at IS NULL`,
    values: [
      projectId,
      customerId,
      projectResponses,
      projectBytes,
      customerResponses,
      customerBytes,
      newBytes === undefined ? 0 : 1,
      newBytes ?? 0,
    ],
  });
  return result.rows[0]!.is_within;
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

export interface StreamRow {
  is_streamed: boolean;
  has_events: boolean;
  last_event: number;
  has_ended: boolean;
}

/** Returns the state of a response's stream, without the response. */
export async function findStream(
  db: Queryable,
  { projectId, customerId }: BackgroundOwner,
  id: string,
): Promise<StreamRow | undefined> {
  const result = await db.query<StreamRow>({
    name: 'background_responses.find_stream',
    text: `SELECT is_streamed, has_events, last_event, ended_at IS NOT NULL AS has_ended FROM background_responses WHERE ${VISIBLE}`,
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

export interface DeletedBackground
  extends Pick<BackgroundRow, 'id' | 'attempt' | 'superseded_attempt' | 'is_dispatched'> {
  principal: Buffer;
  ended_at: Date | null;
}

/** Deletes responses of a customer, up to a limit. */
export async function deleteOfCustomer(tx: Tx, customerId: string, limit: number): Promise<DeletedBackground[]> {
  const result = await tx.query<DeletedBackground>({
    name: 'background_responses.delete_of_customer',
    text: `DELETE FROM background_responses WHERE id = ANY (ARRAY(
             SELECT id FROM background_responses WHERE customer_id = $1 ORDER BY id LIMIT $2 FOR UPDATE))
           RETURNING id, attempt, superseded_attempt, is_dispatched, principal, ended_at`,
    values: [customerId, limit],
  });
  return result.rows;
}

/** Leaves nothing of a response but its id, so that it cannot be created again. */
export async function emptyBackground(
  db: Queryable,
  { projectId, customerId }: BackgroundOwner,
  id: string,
): Promise<void> {
  await db.query({
    name: 'background_responses.empty',
    text: `WITH emptied AS (
             UPDATE background_responses
             SET status = 'discarded', head = '{}', ended_head = NULL, error = NULL, answer = NULL, bytes = 0, event_bytes = 0,
                 has_events = false, ended_at = now()
             WHERE ${VISIBLE} RETURNING id)
           DELETE FROM background_events WHERE response_id IN (SELECT id FROM emptied)`,
    values: [id, projectId, customerId],
  });
}

/**
 * Forbids to create a response with this id. Returns false when there is one; waits for a transaction that creates it.
 */
export async function forbidBackground(
  db: Queryable,
  { accountId, projectId, customerId }: BackgroundOwner & { accountId: string },
  id: string,
): Promise<boolean> {
  const result = await db.query({
    name: 'background_responses.forbid',
    text: `INSERT INTO background_responses (id, account_id, project_id, customer_id, principal, head, bytes, options, status,
                                             expires_at, ended_at)
           VALUES ($1, $2, $3, $4, '', '{}', 0, '{}', 'discarded', now(), now()) ON CONFLICT (id) DO NOTHING`,
    values: [id, accountId, projectId, customerId],
  });
  return result.rowCount === 1;
}

export interface EndedMax {
  callerEndedResponses: number;
  callerEndedBytes: number;
  projectEndedResponses: number;
  projectEndedBytes: number;
}

/** Deletes the oldest ended responses that exceed what their caller or their project may have, up to a limit. */
export async function pruneBackground(
  tx: Tx,
  { projectId, customerId }: BackgroundOwner,
  max: EndedMax,
  limit: number,
): Promise<void> {
  const { callerEndedResponses, callerEndedBytes, projectEndedResponses, projectEndedBytes } = max;
  const text = (owner: string) => `
    DELETE FROM background_responses WHERE id = ANY (ARRAY(
      SELECT id FROM (
        SELECT id, row_number() OVER newest AS place, sum(bytes) OVER newest AS bytes
        FROM background_responses WHERE ${owner} = $1 AND ended_at IS NOT NULL
        WINDOW newest AS (ORDER BY ended_at DESC, id DESC ROWS UNBOUNDED PRECEDING)) AS ended
      WHERE place > $2 OR bytes > $3 ORDER BY place DESC LIMIT $4))`;
  await tx.query({
    name: 'background_responses.prune_caller',
    text: text('coalesce(customer_id, project_id)'),
    values: [customerId ?? projectId, callerEndedResponses, callerEndedBytes, limit],
  });
  await tx.query({
    name: 'background_responses.prune_project',
    text: text('project_id'),
    values: [projectId, projectEndedResponses, projectEndedBytes, limit],
  });
}

/** Deletes responses that ended longer than `retentionMs` ago, and ids of discarded ones. Returns the larger of their numbers. */
export async function purgeBackground(db: Queryable, retentionMs: number, limit: number): Promise<number> {
  const result = await db.query({
    name: 'background_responses.purge',
    text: `DELETE FROM background_responses WHERE id = ANY (ARRAY(
             SELECT id FROM background_responses WHERE ended_at < now() - $1 * interval '1 ms'
             ORDER BY ended_at LIMIT $2 FOR UPDATE SKIP LOCKED))`,
    values: [retentionMs, limit],
  });
  const discarded = await db.query({
    name: 'background_responses.purge_discarded',
    text: `DELETE FROM background_responses WHERE id = ANY (ARRAY(
             SELECT id FROM background_responses WHERE status = 'discarded' AND ended_at < now() - $1 * interval '1 ms'
             ORDER BY ended_at LIMIT $2 FOR UPDATE SKIP LOCKED))`,
    values: [DISCARDED_MS, limit],
  });
  return Math.max(result.rowCount ?? 0, discarded.rowCount ?? 0);
}
