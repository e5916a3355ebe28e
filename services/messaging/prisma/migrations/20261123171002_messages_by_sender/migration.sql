-- no transaction
-- Messages of a sender, newest first.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "messages_project_id_from_address_seq_idx" ON "messages"("project_id", "from_address", "seq");
