-- no transaction
-- Messages of a project, newest first.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "messages_project_id_seq_idx" ON "messages"("project_id", "seq");
