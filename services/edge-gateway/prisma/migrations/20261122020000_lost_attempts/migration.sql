-- Attempts whose claim was taken over and which the ledger has not superseded yet: they may have charged their customer.
ALTER TABLE "idempotency_records" ADD COLUMN "lost_claim_ids" UUID[] DEFAULT ARRAY[]::UUID[];
