-- name: insert_audit_event_once :execrows
INSERT INTO audit_events (id, account_id, project_id, action, actor_kind, actor_id, subject_id, changes, address, request_id,
  at)
VALUES (:id, :account_id, :project_id?, :action, :actor_kind, :actor_id, :subject_id?, :changes?, :address,
  :request_id, :at)
ON CONFLICT (id) DO NOTHING
