-- Counter-account for what deleted customers owe: refunds and chargebacks beyond what was left in their wallets.
INSERT INTO accounts (id, kind, ref_id, owner_account_id, is_enforced) OVERRIDING SYSTEM VALUE
VALUES (21, 'written_off', '00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000', false);

-- The email that the processor was last given (null: not known), and when to give it the customer's current one.
ALTER TABLE processor_customers ADD COLUMN email text, ADD COLUMN email_due_at timestamptz(3);
