-- The user who created or rotated the key. A key that a member of another account made reads no figures of the account.
-- Null: made before this column, or by the previous version during a roll-out; the audit log names the user.
ALTER TABLE "api_keys" ADD COLUMN "issued_by" UUID;
