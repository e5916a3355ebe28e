-- Whether somebody who knows the person has linked the identity: the provider itself, at a sign-in, or the project's
-- backend. Browsers claim with publishable keys, and prove nothing.
ALTER TABLE customer_identities ADD COLUMN is_proven boolean NOT NULL DEFAULT false;
