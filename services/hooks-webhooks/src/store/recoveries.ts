import type { Queryable, Tx } from '@tollgate/postgres';
import { requeueFailedDeliveries } from './gen/recoveries.js';

export interface Recovery {
  id: string;
  webhook_id: string;
  since: Date;
  status: 'running' | 'completed' | 'canceled';
  requeued: number;
  started_at: Date;
  ended_at: Date | null;
  /** The last delivery that was picked, by time of creation and id. */
  cursor_created_at: Date | null;
  cursor_id: string | null;
}

const COLUMNS = 'id, webhook_id, since, status, requeued, started_at, ended_at, cursor_created_at, cursor_id';

/** Starts a recovery. Returns undefined if one of the webhook is running. */
export async function insertRecovery(
  db: Queryable,
  { id, webhookId, since }: { id: string; webhookId: string; since: Date },
): Promise<Recovery | undefined> {
  const { rows } = await db.query<Recovery>(
    `INSERT INTO webhook_recoveries (id, webhook_id, since) VALUES ($1, $2, $3)
     ON CONFLICT (webhook_id) WHERE status = 'running' DO NOTHING RETURNING ${COLUMNS}`,
    [id, webhookId, since],
  );
  return rows[0];
}

export async function findRunningRecovery(db: Queryable, webhookId: string): Promise<Recovery | undefined> {
  const { rows } = await db.query<Recovery>(
    `SELECT ${COLUMNS} FROM webhook_recoveries WHERE webhook_id = $1 AND status = 'running'`,
    [webhookId],
  );
  return rows[0];
}

export async function findRecovery(db: Queryable, webhookId: string, id: string): Promise<Recovery | undefined> {
  const { rows } = await db.query<Recovery>(
    `SELECT ${COLUMNS} FROM webhook_recoveries WHERE id = $1 AND webhook_id = $2`,
    [id, webhookId],
  );
  return rows[0];
}

/** Lists running recoveries: one of each project first, and of these the ones that have waited longest. */
export async function listRunningRecoveries(db: Queryable, limit: number): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `SELECT id FROM (
       SELECT r.id, coalesce(r.advanced_at, r.started_at) AS waits_since, row_number() OVER (
         PARTITION BY w.project_id ORDER BY coalesce(r.advanced_at, r.started_at), r.id) AS turn
       FROM webhook_recoveries r JOIN webhooks w ON w.id = r.webhook_id WHERE r.status = 'running') running
     ORDER BY turn, waits_since, id LIMIT $1`,
    [limit],
  );
  return rows.map(({ id }) => id);
}

/**
 * Locks a running recovery. Returns undefined if another process works on the recovery or it has ended; `isOpen` is false
 * when the webhook was disabled or deleted. The sweeper cancels what is queued while the webhook is being disabled.
 */
export async function lockRecovery(tx: Tx, id: string): Promise<{ recovery: Recovery; isOpen: boolean } | undefined> {
  const { rows } = await tx.query<Recovery>(
    `SELECT ${COLUMNS} FROM webhook_recoveries WHERE id = $1 AND status = 'running' FOR UPDATE SKIP LOCKED`,
    [id],
  );
  const recovery = rows[0];
  if (!recovery) return undefined;
  const { rowCount } = await tx.query(
    'SELECT 1 FROM webhooks WHERE id = $1 AND enabled AND deleted_at IS NULL FOR KEY SHARE',
    [recovery.webhook_id],
  );
  return { recovery, isOpen: rowCount === 1 };
}

/**
 * Queues the next failed deliveries again, each in a queue of its own with five new attempts. Returns how many. Begins after
 * those of earlier batches, which may have failed again. Skips what is locked.
 */
export async function requeueFailed(tx: Tx, recovery: Recovery, limit: number): Promise<number> {
  const queued = await requeueFailedDeliveries(tx, {
    recoveryId: recovery.id,
    webhookId: recovery.webhook_id,
    since: recovery.cursor_created_at ?? recovery.since,
    startedAt: recovery.started_at,
    cursorId: recovery.cursor_id,
    limit,
  });
  return queued?.requeued ?? 0;
}

/** Counts what a recovery still has to queue, up to `max`: deliveries that failed before it started. Later failures are left alone. */
export async function countRemaining(db: Queryable, recovery: Recovery, max: number): Promise<number> {
  const { rows } = await db.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM (
       SELECT 1 FROM webhook_deliveries d
       WHERE d.webhook_id = $1 AND d.status = 'failed' AND d.created_at >= $2 AND d.updated_at <= $3 AND NOT d.is_test
       LIMIT $4) remaining`,
    [recovery.webhook_id, recovery.since, recovery.started_at, max],
  );
  return rows[0]?.n ?? 0;
}

export async function endRecovery(tx: Tx, id: string, status: 'completed' | 'canceled'): Promise<void> {
  await tx.query('UPDATE webhook_recoveries SET status = $2, ended_at = clock_timestamp() WHERE id = $1', [id, status]);
}
