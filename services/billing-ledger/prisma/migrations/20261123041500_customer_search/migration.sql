-- Lists of customers are searched by the beginning of an email or external id. On a large live database build the indexes
-- first, with the same names and CONCURRENTLY: the migration then skips them.
CREATE INDEX IF NOT EXISTS customers_email_prefix_idx ON customers (project_id, lower(email) text_pattern_ops);
CREATE INDEX IF NOT EXISTS customers_external_id_prefix_idx ON customers (project_id, lower(external_id) text_pattern_ops);
