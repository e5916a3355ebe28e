-- Tiers from before the update, and those that the previous version adds, are offered to every customer as before.
ALTER TABLE tiers
  ADD COLUMN visibility text NOT NULL DEFAULT 'portal',
  ADD COLUMN sort_order integer NOT NULL DEFAULT 0,
  ADD COLUMN features text[] NOT NULL DEFAULT '{}',
  ADD COLUMN plan_group text,
  ADD COLUMN allow_promotion_codes boolean NOT NULL DEFAULT false;
