-- Lists the purchases of a project's customers. On a large live database build it first, with the same name and
-- CONCURRENTLY: the migration then skips it.
CREATE INDEX IF NOT EXISTS payment_orders_project_id_created_at_idx ON payment_orders (project_id, created_at DESC, id DESC)
  WHERE project_id IS NOT NULL;
