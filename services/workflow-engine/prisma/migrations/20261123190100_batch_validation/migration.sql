-- How far the input of a batch is validated, as JSON; null before the first step, and afterwards.
ALTER TABLE batches ADD COLUMN validation text;
-- Until then no step of a batch with such a state is tried. Its step_due_at keeps the previous version away, which would start again.
ALTER TABLE batches ADD COLUMN validation_due_at timestamptz(3);
