-- no transaction
-- Messages of a customer, newest first.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "messages_project_id_customer_id_seq_idx" ON "messages"("project_id", "customer_id", "seq");
