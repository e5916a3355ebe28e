-- name: insert_webhook_row :execrows
-- Inserts nothing when the project has `max` webhooks.
INSERT INTO webhooks (id, project_id, endpoint_url, event_types, enabled, disabled_reason, signature_form, retry_schedule,
  secret_key_id, secret_sealed, created_at, updated_at)
SELECT :id, :project_id, :endpoint_url, :event_types, :enabled, :disabled_reason?, :signature_form, :retry_schedule,
  :secret_key_id, :secret_sealed, :created_at, :updated_at
WHERE (SELECT count(*) FROM webhooks WHERE project_id = :project_id AND deleted_at IS NULL) < :max;

-- name: change_webhook :one
-- Keeps what is null. A secret that is replaced signs beside the new one until `previous_until`.
-- type disabled_reason: DisabledReason from domain/webhooks/delivery
-- type signature_form: SignatureForm from domain/webhooks/signature
-- type retry_schedule: RetryScheduleName from domain/webhooks/delivery
UPDATE webhooks
SET endpoint_url = :endpoint_url, event_types = :event_types, signature_form = coalesce(:signature_form?, signature_form),
  retry_schedule = coalesce(:retry_schedule?, retry_schedule), updated_at = :updated_at,
  secret_key_id = coalesce(:secret_key_id?, secret_key_id), secret_sealed = coalesce(:secret_sealed?, secret_sealed),
  previous_secret_key_id = CASE WHEN :secret_sealed? IS NULL THEN previous_secret_key_id ELSE secret_key_id END,
  previous_secret_sealed = CASE WHEN :secret_sealed? IS NULL THEN previous_secret_sealed ELSE secret_sealed END,
  previous_secret_until = CASE WHEN :secret_sealed? IS NULL THEN previous_secret_until ELSE :previous_until::timestamptz END
WHERE id = :id AND project_id = :project_id AND deleted_at IS NULL
RETURNING id, project_id, endpoint_url, event_types, enabled, disabled_reason, signature_form, retry_schedule, secret_key_id,
  secret_sealed, previous_secret_key_id, previous_secret_sealed, previous_secret_until, created_at, updated_at
