import { lockUntilCommit, type Queryable, type Tx } from '@tollgate/postgres';
import type { SealedSecret } from '@tollgate/runtime/secret-box';
import { isUuid } from '@tollgate/runtime/uuid';
import type { DisabledReason, RetryScheduleName } from '../domain/webhooks/delivery.js';
import type { SignatureForm } from '../domain/webhooks/signature.js';
import type { Webhook } from '../domain/webhooks/webhook.js';
import type { WebhookEventType } from '../domain/webhooks/webhook-event.js';
import { changeWebhook, insertWebhookRow, type ChangeWebhookRow as Row } from './gen/webhooks.js';
import { toPreviousSecret, toSealedSecret, toSecretInput } from './sealed-secrets.js';

const COLUMNS = `id, project_id, endpoint_url, event_types, enabled, disabled_reason, signature_form, retry_schedule,
  secret_key_id, secret_sealed, previous_secret_key_id, previous_secret_sealed, previous_secret_until, created_at, updated_at`;

/** Returns false, and inserts nothing, when the project has `max` webhooks. */
export async function insertWebhook(tx: Tx, webhook: Webhook, max: number): Promise<boolean> {
  await lockUntilCommit(tx, `webhooks of ${webhook.projectId}`);
  const { disabledReason = null, ...values } = webhook;
  return (await insertWebhookRow(tx, { ...values, ...toSecretInput(webhook.secret), disabledReason, max })) === 1;
}

export async function findWebhook(db: Queryable, projectId: string, id: string): Promise<Webhook | undefined> {
  if (!isUuid(id)) return undefined;
  const { rows } = await db.query<Row>(
    `SELECT ${COLUMNS} FROM webhooks WHERE id = $1 AND project_id = $2 AND deleted_at IS NULL`,
    [id, projectId],
  );
  return rows[0] && toWebhook(rows[0]);
}

/** Oldest first. */
export async function selectWebhooks(
  db: Queryable,
  projectId: string,
  page: { limit: number; offset: number },
): Promise<Webhook[]> {
  const { rows } = await db.query<Row>(
    `SELECT ${COLUMNS} FROM webhooks WHERE project_id = $1 AND deleted_at IS NULL
     ORDER BY created_at, id LIMIT $2 OFFSET $3`,
    [projectId, page.limit, page.offset],
  );
  return rows.map(toWebhook);
}

/** Undefined fields keep their current value. */
export interface WebhookChange {
  endpointUrl: string;
  eventTypes: WebhookEventType[];
  signatureForm: SignatureForm | undefined;
  retrySchedule: RetryScheduleName | undefined;
  secret: SealedSecret | undefined;
  /** With `secret`: how long the secret before signs, too. */
  previousUntil: Date;
  updatedAt: Date;
}

/** The columns that change when a webhook is enabled or disabled. */
export type EnabledChange = { enabled: true } | { enabled: false; disabledReason: DisabledReason };

/** Returns undefined when the webhook was deleted. */
export async function updateWebhook(
  db: Queryable,
  projectId: string,
  id: string,
  change: WebhookChange,
): Promise<Webhook | undefined> {
  const { signatureForm = null, retrySchedule = null, secret, ...values } = change;
  const row = await changeWebhook(db, {
    ...values,
    ...toSecretInput(secret),
    signatureForm,
    retrySchedule,
    id,
    projectId,
  });
  return row && toWebhook(row);
}

/**
 * Enables the webhook, which resets its failures, or disables it. Does not change a webhook that is already in that
 * state, which keeps the reason for disabling and the failure count.
 */
export async function setWebhookEnabled(db: Queryable, id: string, change: EnabledChange): Promise<void> {
  if (change.enabled)
    await db.query(
      `UPDATE webhooks SET enabled = true, disabled_reason = NULL, failed_deliveries = 0, failed_attempts = 0
       WHERE id = $1 AND NOT enabled AND deleted_at IS NULL`,
      [id],
    );
  else
    await db.query(
      'UPDATE webhooks SET enabled = false, disabled_reason = $2 WHERE id = $1 AND enabled AND deleted_at IS NULL',
      [id, change.disabledReason],
    );
}

/** Returns false when no such webhook exists. */
export async function markWebhookDeleted(db: Queryable, projectId: string, id: string, now: Date): Promise<boolean> {
  if (!isUuid(id)) return false;
  const { rowCount } = await db.query(
    'UPDATE webhooks SET deleted_at = $3 WHERE id = $1 AND project_id = $2 AND deleted_at IS NULL',
    [id, projectId, now],
  );
  return rowCount === 1;
}

export async function markWebhooksDeleted(db: Queryable, projectId: string, now: Date): Promise<void> {
  await db.query('UPDATE webhooks SET deleted_at = $2 WHERE project_id = $1 AND deleted_at IS NULL', [projectId, now]);
}

function toWebhook(row: Row): Webhook {
  return {
    id: row.id,
    projectId: row.project_id,
    endpointUrl: row.endpoint_url,
    eventTypes: row.event_types as WebhookEventType[],
    enabled: row.enabled,
    disabledReason: row.disabled_reason ?? undefined,
    signatureForm: row.signature_form,
    retrySchedule: row.retry_schedule,
    secret: toSealedSecret(row),
    previousSecret: toPreviousSecret(row),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
