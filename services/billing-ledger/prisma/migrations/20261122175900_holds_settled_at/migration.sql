-- Retention reads this index. A plain build blocks admission while it runs: on a large live database build it before the
-- upgrade, with the same name and CONCURRENTLY. The migration then skips it.
CREATE INDEX IF NOT EXISTS holds_settled_at_idx ON holds (settled_at) WHERE settled_at IS NOT NULL;
