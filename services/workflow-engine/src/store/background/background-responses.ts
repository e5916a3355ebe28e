import type { Queryable, Tx } from '@tollgate/postgres';
import * as sql from '../gen/background/background-responses.js';

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

export type BackgroundRow = sql.FindBackgroundRow;

export interface UnfinishedMax {
  projectResponses: number;
  customerResponses: number;
  projectBytes: number;
  customerBytes: number;
}

/** For how long the id of a discarded response is kept: far longer than a creation takes. */
const DISCARDED_MS = 3_600_000;

/** Stores a response, which a worker runs. Returns undefined when there is one with this id. */
export async function insertBackground(tx: Tx, response: NewBackgroundResponse): Promise<BackgroundRow | undefined> {
  const { traceparent = null, endedHead = null } = response;
  return sql.insertBackground(tx, { ...response, traceparent, endedHead });
}

/**
 * Whether the unfinished responses of the project and of the customer are within their limits, together with one of `newBytes` that is
 * not stored yet. The result is exact while the project is locked.
 */
export async function isWithinLimits(
  tx: Tx,
  owner: BackgroundOwner,
  max: UnfinishedMax,
  newBytes?: number,
): Promise<boolean> {
  const added = { newResponses: newBytes === undefined ? 0 : 1, newBytes: newBytes ?? 0 };
  return (await sql.isWithinLimits(tx, { ...owner, ...max, ...added }))!.is_within;
}

export async function findBackground(
  db: Queryable,
  owner: BackgroundOwner,
  id: string,
): Promise<BackgroundRow | undefined> {
  return sql.findBackground(db, { ...owner, id });
}

export type StreamRow = sql.FindStreamRow;

/** Returns the state of a response's stream, without the response. */
export async function findStream(db: Queryable, owner: BackgroundOwner, id: string): Promise<StreamRow | undefined> {
  return sql.findStream(db, { ...owner, id });
}

/** Ends an unfinished response without an answer: its lease is void. Returns undefined for any other. */
export async function cancelBackground(
  db: Queryable,
  owner: BackgroundOwner,
  id: string,
): Promise<BackgroundRow | undefined> {
  return sql.cancelBackground(db, { ...owner, id });
}

/** Returns whether there was such a response. */
export async function deleteBackground(db: Queryable, owner: BackgroundOwner, id: string): Promise<boolean> {
  return (await sql.deleteBackground(db, { ...owner, id })) === 1;
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
export async function emptyBackground(db: Queryable, owner: BackgroundOwner, id: string): Promise<void> {
  await sql.emptyBackground(db, { ...owner, id });
}

/** Forbids to create a response with this id. Returns false when there is one; waits for a transaction that creates it. */
export async function forbidBackground(
  db: Queryable,
  owner: BackgroundOwner & { accountId: string },
  id: string,
): Promise<boolean> {
  return (await sql.forbidBackground(db, { ...owner, id })) === 1;
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
  const caller = { responsesMax: max.callerEndedResponses, bytesMax: max.callerEndedBytes, limit };
  await sql.pruneCaller(tx, { callerId: customerId ?? projectId, ...caller });
  await sql.pruneProject(tx, {
    projectId,
    responsesMax: max.projectEndedResponses,
    bytesMax: max.projectEndedBytes,
    limit,
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
