-- Claims look customers up by e-mail without regard to case, the oldest first.
CREATE INDEX customers_project_id_email_idx ON customers (project_id, lower(email), created_at, id);
