-- An expired hold that a replica is ending; the others leave it until then.
ALTER TABLE holds ADD COLUMN expiry_claimed_until timestamptz(3);
