// Generated from webhooks.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';
import type { DisabledReason, RetryScheduleName } from '../../domain/webhooks/delivery.js';
import type { SignatureForm } from '../../domain/webhooks/signature.js';

export interface InsertWebhookRowInput {
  id: string;
  projectId: string;
  endpointUrl: string;
  eventTypes: readonly (string | null)[];
  enabled: boolean;
  disabledReason: string | null;
  signatureForm: string;
  retrySchedule: string;
  secretKeyId: string;
  secretSealed: Uint8Array;
  createdAt: Date;
  updatedAt: Date;
  max: bigint | number;
}

const INSERT_WEBHOOK_ROW = `
  INSERT INTO webhooks (id, project_id, endpoint_url, event_types, enabled, disabled_reason, signature_form, retry_schedule,
    secret_key_id, secret_sealed, created_at, updated_at)
  SELECT $1, $2, $3, $4, $5, $6, $7, $8,
    $9, $10, $11, $12
  WHERE (SELECT count(*) FROM webhooks WHERE project_id = $2 AND deleted_at IS NULL) < $13`;

/** Inserts nothing when the project has `max` webhooks. */
export async function insertWebhookRow(db: Queryable, input: InsertWebhookRowInput): Promise<number> {
  const { rowCount } = await db.query({
    name: 'insert_webhook_row',
    text: INSERT_WEBHOOK_ROW,
    values: [
      input.id,
      input.projectId,
      input.endpointUrl,
      input.eventTypes,
      input.enabled,
      input.disabledReason,
      input.signatureForm,
      input.retrySchedule,
      input.secretKeyId,
      input.secretSealed,
      input.createdAt,
      input.updatedAt,
      input.max,
    ],
  });
  return rowCount ?? 0;
}

export interface ChangeWebhookInput {
  endpointUrl: string;
  eventTypes: readonly (string | null)[];
  signatureForm: string | null;
  retrySchedule: string | null;
  updatedAt: Date;
  secretKeyId: string | null;
  secretSealed: Uint8Array | null;
  previousUntil: Date;
  id: string;
  projectId: string;
}

export interface ChangeWebhookRow {
  id: string;
  project_id: string;
  endpoint_url: string;
  event_types: string[];
  enabled: boolean;
  disabled_reason: DisabledReason | null;
  signature_form: SignatureForm;
  retry_schedule: RetryScheduleName;
  secret_key_id: string;
  secret_sealed: Buffer;
  previous_secret_key_id: string | null;
  previous_secret_sealed: Buffer | null;
  previous_secret_until: Date | null;
  created_at: Date;
  updated_at: Date;
}

const CHANGE_WEBHOOK = `
  UPDATE webhooks
  SET endpoint_url = $1, event_types = $2, signature_form = coalesce($3, signature_form),
    retry_schedule = coalesce($4, retry_schedule), updated_at = $5,
    secret_key_id = coalesce($6, secret_key_id), secret_sealed = coalesce($7, secret_sealed),
    previous_secret_key_id = CASE WHEN $7 IS NULL THEN previous_secret_key_id ELSE secret_key_id END,
    previous_secret_sealed = CASE WHEN $7 IS NULL THEN previous_secret_sealed ELSE secret_sealed END,
    previous_secret_until = CASE WHEN $7 IS NULL THEN previous_secret_until ELSE $8::timestamptz END
  WHERE id = $9 AND project_id = $10 AND deleted_at IS NULL
  RETURNING id, project_id, endpoint_url, event_types, enabled, disabled_reason, signature_form, retry_schedule, secret_key_id,
    secret_sealed, previous_secret_key_id, previous_secret_sealed, previous_secret_until, created_at, updated_at`;

/** Keeps what is null. A secret that is replaced signs beside the new one until `previous_until`. */
export async function changeWebhook(db: Queryable, input: ChangeWebhookInput): Promise<ChangeWebhookRow | undefined> {
  const { rows } = await db.query<ChangeWebhookRow>({
    name: 'change_webhook',
    text: CHANGE_WEBHOOK,
    values: [
      input.endpointUrl,
      input.eventTypes,
      input.signatureForm,
      input.retrySchedule,
      input.updatedAt,
      input.secretKeyId,
      input.secretSealed,
      input.previousUntil,
      input.id,
      input.projectId,
    ],
  });
  return rows[0];
}
