-- name: insert_invitation_row :execrows
INSERT INTO project_invitations (id, project_id, email, email_key, role, invited_by, created_at, expires_at)
VALUES (:id, :project_id, :email, :email_key, :role, :invited_by, :created_at, :expires_at)
ON CONFLICT (project_id, email_key) DO NOTHING
