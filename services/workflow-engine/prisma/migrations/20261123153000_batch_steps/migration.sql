-- Until then no step of the batch is tried, because the last one failed.
ALTER TABLE batches ADD COLUMN step_due_at timestamptz(3);
