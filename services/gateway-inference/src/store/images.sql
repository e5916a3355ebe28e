-- name: insert_image_rows :exec
-- pack images: id uuid, project_id uuid, customer_id uuid?, model_id text, mime_type text, file_token text, created_at timestamptz
-- pack images: expires_at timestamptz?
INSERT INTO images (id, project_id, customer_id, model_id, mime_type, file_token, created_at, expires_at)
SELECT * FROM :images AS i
