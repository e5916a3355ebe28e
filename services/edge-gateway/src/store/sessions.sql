-- name: insert_session :exec
INSERT INTO sessions (id, user_id, expires_at, client_name, address)
VALUES (:id, :user_id, :expires_at, :client_name?, :address?);

-- name: list_sign_ins :many
-- Returns the user's sessions that are in force, newest first, behind the row of `after_at` and `after_id`.
-- unprepared: the plan depends on whether a page is continued
SELECT id, client_name AS "clientName", address, created_at AS "signedInAt", expires_at AS "expiresAt"
FROM sessions
WHERE user_id = :user_id AND revoked_at IS NULL AND expires_at > :at
  AND (:after_at?::timestamptz IS NULL OR (created_at, id) < (:after_at?, :after_id?::uuid))
ORDER BY created_at DESC, id DESC
LIMIT :limit;
