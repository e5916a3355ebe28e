-- When the window of an allowance ends; for notices, not part of the account's key.
ALTER TABLE accounts ADD COLUMN window_end timestamptz(3);

-- A share of a window's allowance that was reached: once each, written by the settlement that reached it. It becomes an
-- event right after; unannounced rows are found again when a process dies in between.
CREATE TABLE usage_thresholds (
  account_id        bigint NOT NULL,
  threshold_percent smallint NOT NULL,
  used_microcents   bigint NOT NULL,
  limit_microcents  bigint NOT NULL,
  reached_at        timestamptz(3) NOT NULL DEFAULT now(),
  announced_at      timestamptz(3),
  PRIMARY KEY (account_id, threshold_percent)
);
CREATE INDEX usage_thresholds_unannounced_idx ON usage_thresholds (reached_at) WHERE announced_at IS NULL;

-- When an owner was last told that requests are being refused; told again after a quarter of an hour.
CREATE TABLE admission_blocks (
  project_id   uuid NOT NULL,
  refusal_code text NOT NULL,
  told_at      timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, refusal_code)
);
