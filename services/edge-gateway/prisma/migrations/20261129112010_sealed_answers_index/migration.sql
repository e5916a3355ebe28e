-- no transaction
-- Finds the sealed answers whose bodies are due for deletion.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "idempotency_records_sealed_until_idx" ON "idempotency_records" ("sealed_until")
  WHERE "sealed_until" IS NOT NULL AND "body" IS NOT NULL;
