-- Limits of single owner accounts that differ from the configured ones. No row: as configured; null: no limit.
CREATE TABLE account_limits (
  owner_account_id uuid NOT NULL,
  -- daily_cap (cents) or quota (units)
  kind             text NOT NULL CHECK (kind IN ('daily_cap', 'quota')),
  amount           bigint CHECK (amount >= 0),
  updated_at       timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (owner_account_id, kind)
);

-- The other sides of the free-credit day and of the quota, which counts units and is never mixed with money.
INSERT INTO accounts (id, kind, ref_id, owner_account_id, is_enforced) OVERRIDING SYSTEM VALUE
SELECT t.id, t.kind, '00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000', false
FROM (VALUES (11, 'daily_spend'), (12, 'quota_grant'), (13, 'quota_use')) AS t (id, kind);
