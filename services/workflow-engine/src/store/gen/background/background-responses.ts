// Generated from background/background-responses.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';
import type { BackgroundStatus } from '../../../domain/background/background-answer.js';

export interface InsertBackgroundInput {
  id: string;
  accountId: string;
  projectId: string;
  customerId: string | null;
  principal: Uint8Array;
  traceparent: string | null;
  head: string;
  endedHead: string | null;
  body: string;
  bytes: number;
  options: string;
  timeoutMs: number;
  holdTtlMs: number;
  isStreamed: boolean;
}

export interface InsertBackgroundRow {
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

const INSERT_BACKGROUND = `
  INSERT INTO background_responses (id, account_id, project_id, customer_id, principal, traceparent, head, ended_head, body, bytes,
    options, expires_at, hold_ttl_ms, hold_due_at, is_streamed)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10,
    $11, now() + $12 * interval '1 ms', $13, now() + $13::int / 3 * interval '1 ms', $14)
  ON CONFLICT (id) DO NOTHING
  RETURNING id, head, status, error, answer, attempt, superseded_attempt, is_dispatched, is_streamed, last_event`;

/** Stores a response, which a worker runs. Returns undefined when there is one with this id. */
export async function insertBackground(db: Queryable, input: InsertBackgroundInput): Promise<InsertBackgroundRow | undefined> {
  const { rows } = await db.query<InsertBackgroundRow>({
    name: 'insert_background',
    text: INSERT_BACKGROUND,
    values: [
      input.id,
      input.accountId,
      input.projectId,
      input.customerId,
      input.principal,
      input.traceparent,
      input.head,
      input.endedHead,
      input.body,
      input.bytes,
      input.options,
      input.timeoutMs,
      input.holdTtlMs,
      input.isStreamed,
    ],
  });
  return rows[0];
}

export interface IsWithinLimitsInput {
  newResponses: bigint | number;
  projectResponses: bigint | number;
  newBytes: bigint | number;
  projectBytes: bigint | number;
  customerId: string | null;
  customerResponses: bigint | number;
  customerBytes: bigint | number;
  projectId: string;
}

export interface IsWithinLimitsRow {
  is_within: boolean;
}

const IS_WITHIN_LIMITS = `
  SELECT count(*) + $1 <= $2 AND coalesce(sum(bytes), 0) + $3 <= $4
    AND ($5::uuid IS NULL OR (
      count(*) FILTER (WHERE customer_id = $5) + $1 <= $6
      AND coalesce(sum(bytes) FILTER (WHERE customer_id = $5), 0) + $3 <= $7)) AS "is_within"
  FROM background_responses
  WHERE project_id = $8 AND ended_at IS NULL`;

/** Adds up the unfinished responses of the project and of the customer, with new ones that are not stored yet. */
export async function isWithinLimits(db: Queryable, input: IsWithinLimitsInput): Promise<IsWithinLimitsRow | undefined> {
  const { rows } = await db.query<IsWithinLimitsRow>({
    name: 'is_within_limits',
    text: IS_WITHIN_LIMITS,
    values: [
      input.newResponses,
      input.projectResponses,
      input.newBytes,
      input.projectBytes,
      input.customerId,
      input.customerResponses,
      input.customerBytes,
      input.projectId,
    ],
  });
  return rows[0];
}

export interface FindBackgroundInput {
  id: string;
  projectId: string;
  customerId: string | null;
}

export interface FindBackgroundRow {
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

const FIND_BACKGROUND = `
  SELECT id, head, status, error, answer, attempt, superseded_attempt, is_dispatched, is_streamed, last_event
  FROM background_responses
  WHERE id = $1 AND project_id = $2 AND ($3::uuid IS NULL OR customer_id = $3)
    AND status <> 'discarded'`;

export async function findBackground(db: Queryable, input: FindBackgroundInput): Promise<FindBackgroundRow | undefined> {
  const { rows } = await db.query<FindBackgroundRow>({
    name: 'find_background',
    text: FIND_BACKGROUND,
    values: [
      input.id,
      input.projectId,
      input.customerId,
    ],
  });
  return rows[0];
}

export interface FindStreamInput {
  id: string;
  projectId: string;
  customerId: string | null;
}

export interface FindStreamRow {
  is_streamed: boolean;
  has_events: boolean;
  last_event: number;
  has_ended: boolean;
}

const FIND_STREAM = `
  SELECT is_streamed, has_events, last_event, ended_at IS NOT NULL AS "has_ended"
  FROM background_responses
  WHERE id = $1 AND project_id = $2 AND ($3::uuid IS NULL OR customer_id = $3)
    AND status <> 'discarded'`;

/** Returns the state of a response's stream, without the response. */
export async function findStream(db: Queryable, input: FindStreamInput): Promise<FindStreamRow | undefined> {
  const { rows } = await db.query<FindStreamRow>({
    name: 'find_stream',
    text: FIND_STREAM,
    values: [
      input.id,
      input.projectId,
      input.customerId,
    ],
  });
  return rows[0];
}

export interface CancelBackgroundInput {
  id: string;
  projectId: string;
  customerId: string | null;
}

export interface CancelBackgroundRow {
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

const CANCEL_BACKGROUND = `
  UPDATE background_responses
  SET status = 'cancelled', ended_at = now(), lease_owner = NULL, lease_until = NULL, body = NULL,
    head = coalesce(ended_head, head), ended_head = NULL, bytes = octet_length(coalesce(ended_head, head))
  WHERE id = $1 AND project_id = $2 AND ($3::uuid IS NULL OR customer_id = $3)
    AND status <> 'discarded' AND ended_at IS NULL
  RETURNING id, head, status, error, answer, attempt, superseded_attempt, is_dispatched, is_streamed, last_event`;

/** Ends an unfinished response without an answer: its lease is void. Returns undefined for any other. */
export async function cancelBackground(db: Queryable, input: CancelBackgroundInput): Promise<CancelBackgroundRow | undefined> {
  const { rows } = await db.query<CancelBackgroundRow>({
    name: 'cancel_background',
    text: CANCEL_BACKGROUND,
    values: [
      input.id,
      input.projectId,
      input.customerId,
    ],
  });
  return rows[0];
}

export interface DeleteBackgroundInput {
  id: string;
  projectId: string;
  customerId: string | null;
}

const DELETE_BACKGROUND = `
  DELETE FROM background_responses
  WHERE id = $1 AND project_id = $2 AND ($3::uuid IS NULL OR customer_id = $3)
    AND status <> 'discarded'`;

export async function deleteBackground(db: Queryable, input: DeleteBackgroundInput): Promise<number> {
  const { rowCount } = await db.query({
    name: 'delete_background',
    text: DELETE_BACKGROUND,
    values: [
      input.id,
      input.projectId,
      input.customerId,
    ],
  });
  return rowCount ?? 0;
}

export interface EmptyBackgroundInput {
  id: string;
  projectId: string;
  customerId: string | null;
}

const EMPTY_BACKGROUND = `
  WITH emptied AS (
    UPDATE background_responses
    SET status = 'discarded', head = '{}', ended_head = NULL, error = NULL, answer = NULL, bytes = 0, event_bytes = 0,
      has_events = false, ended_at = now()
    WHERE id = $1 AND project_id = $2 AND ($3::uuid IS NULL OR customer_id = $3)
      AND status <> 'discarded'
    RETURNING id
  )
  DELETE FROM background_events WHERE response_id IN (SELECT id FROM emptied)`;

/** Leaves nothing of a response but its id, so that it cannot be created again. */
export async function emptyBackground(db: Queryable, input: EmptyBackgroundInput): Promise<void> {
  await db.query({
    name: 'empty_background',
    text: EMPTY_BACKGROUND,
    values: [
      input.id,
      input.projectId,
      input.customerId,
    ],
  });
}

export interface ForbidBackgroundInput {
  id: string;
  accountId: string;
  projectId: string;
  customerId: string | null;
}

const FORBID_BACKGROUND = `
  INSERT INTO background_responses (id, account_id, project_id, customer_id, principal, head, bytes, options, status, expires_at,
    ended_at)
  VALUES ($1, $2, $3, $4, '', '{}', 0, '{}', 'discarded', now(), now())
  ON CONFLICT (id) DO NOTHING`;

/** Forbids to create a response with this id, unless there is one. Waits for a transaction that creates it. */
export async function forbidBackground(db: Queryable, input: ForbidBackgroundInput): Promise<number> {
  const { rowCount } = await db.query({
    name: 'forbid_background',
    text: FORBID_BACKGROUND,
    values: [
      input.id,
      input.accountId,
      input.projectId,
      input.customerId,
    ],
  });
  return rowCount ?? 0;
}

export interface PruneCallerInput {
  callerId: string;
  responsesMax: bigint | number;
  bytesMax: bigint | number;
  limit: bigint | number;
}

const PRUNE_CALLER = `
  DELETE FROM background_responses
  WHERE id = ANY (ARRAY(
    SELECT id
    FROM (
      SELECT id, row_number() OVER newest AS place, sum(bytes) OVER newest AS bytes
      FROM background_responses
      WHERE coalesce(customer_id, project_id) = $1 AND ended_at IS NOT NULL
      WINDOW newest AS (ORDER BY ended_at DESC, id DESC ROWS UNBOUNDED PRECEDING)) AS ended
    WHERE place > $2 OR bytes > $3
    ORDER BY place DESC
    LIMIT $4))`;

/** Deletes the oldest ended responses of a caller that exceed its limits, up to a limit. */
export async function pruneCaller(db: Queryable, input: PruneCallerInput): Promise<void> {
  await db.query({
    name: 'prune_caller',
    text: PRUNE_CALLER,
    values: [
      input.callerId,
      input.responsesMax,
      input.bytesMax,
      input.limit,
    ],
  });
}

export interface PruneProjectInput {
  projectId: string;
  responsesMax: bigint | number;
  bytesMax: bigint | number;
  limit: bigint | number;
}

const PRUNE_PROJECT = `
  DELETE FROM background_responses
  WHERE id = ANY (ARRAY(
    SELECT id
    FROM (
      SELECT id, row_number() OVER newest AS place, sum(bytes) OVER newest AS bytes
      FROM background_responses
      WHERE project_id = $1 AND ended_at IS NOT NULL
      WINDOW newest AS (ORDER BY ended_at DESC, id DESC ROWS UNBOUNDED PRECEDING)) AS ended
    WHERE place > $2 OR bytes > $3
    ORDER BY place DESC
    LIMIT $4))`;

/** Deletes the oldest ended responses of a project that exceed its limits, up to a limit. */
export async function pruneProject(db: Queryable, input: PruneProjectInput): Promise<void> {
  await db.query({
    name: 'prune_project',
    text: PRUNE_PROJECT,
    values: [
      input.projectId,
      input.responsesMax,
      input.bytesMax,
      input.limit,
    ],
  });
}
