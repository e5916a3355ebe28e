-- Lists of failed and refused requests, which are few among those that succeeded. Existing and future partitions get it.
-- It may be built ahead: ON ONLY requests, then CONCURRENTLY on each partition, and ALTER INDEX … ATTACH PARTITION.
CREATE INDEX IF NOT EXISTS requests_project_id_status_at_idx ON requests (project_id, status, at DESC, id DESC)
  WHERE status <> 'succeeded';
