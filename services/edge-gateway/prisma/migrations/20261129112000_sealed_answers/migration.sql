-- Set for an answer that may hold a secret: its body is encrypted and deleted at this time.
ALTER TABLE "idempotency_records" ADD COLUMN "sealed_until" TIMESTAMPTZ(3);
