-- A hold may grow while it is open (further model calls of its turn). Whoever ends it must have seen it as it is now, or
-- it would give back less than is held: every change of an open hold's legs counts its revision up.
ALTER TABLE holds ADD COLUMN revision integer NOT NULL DEFAULT 0;
