-- no transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS runs_by_agent ON runs USING gin (agents) WHERE agents IS NOT NULL;
