-- What only the view of a single request shows: src/domain/reports/request-detail.ts.
ALTER TABLE requests ADD COLUMN trace_id text, ADD COLUMN detail json;
