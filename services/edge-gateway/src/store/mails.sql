-- name: insert_queued_mail :exec
INSERT INTO mails (id, kind, recipient, subject_id, base_url, created_at, expires_at, due_at, details)
VALUES (:id, :kind, :recipient, :subject_id?, :base_url, :created_at, :expires_at, :created_at, :details?);

-- name: count_mails_before :one
SELECT count(*)::int AS "count!" FROM mails
WHERE kind = :kind AND lower(trim(recipient)) = :email_key AND created_at > :since AND id <> :id
  AND (outcome = 'sent' OR (outcome IS NULL AND (created_at, id) < (:created_at, :id)))
