-- While KEY_PEPPER is rotated, a key has two hashes: under the current pepper and under the one before. Edges that know
-- only one of the two peppers find it by the hash that is theirs.
ALTER TABLE "api_keys" ADD COLUMN "previous_key_hash" BYTEA;
-- Which pepper key_hash was made with (domain/api-key.ts); null: before this column, with the pepper of that time.
ALTER TABLE "api_keys" ADD COLUMN "pepper_id" TEXT;

CREATE UNIQUE INDEX "api_keys_previous_key_hash_key" ON "api_keys"("previous_key_hash");
