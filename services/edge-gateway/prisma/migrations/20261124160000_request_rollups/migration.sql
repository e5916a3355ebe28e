-- Sums of `requests` by hour and by day, so that a report over a month does not read every row. They are always equal to the
-- rows (src/operations/reports/roll-up-requests.ts): an hour with a mark, and one that is not listed as rolled up, is read from rows.

-- Hours and days that are rolled up, for all projects. A day is listed only when its 24 hours are.
CREATE TABLE request_rollups (
  span  text NOT NULL CHECK (span IN ('hour', 'day')),
  start timestamptz(3) NOT NULL,
  PRIMARY KEY (span, start)
);

-- Past hours of a project whose rows have changed since they were rolled up. Appended to by each writer: no two wait for each other.
CREATE TABLE request_rollup_marks (
  hour        timestamptz(3) NOT NULL,
  project_id  uuid NOT NULL,
  id          uuid NOT NULL DEFAULT gen_random_uuid(),
  -- all zeros: no customer
  customer_id uuid NOT NULL,
  PRIMARY KEY (hour, project_id, id)
);

-- Dimensions are empty or all zeros where a request has none. Buckets and counts are latencies: src/domain/reports/latency-buckets.ts.
CREATE TABLE request_hours (
  project_id           uuid NOT NULL,
  start                timestamptz(3) NOT NULL,
  model                text NOT NULL,
  key_id               uuid NOT NULL,
  tier_code            text NOT NULL,
  status               text NOT NULL,
  requests             bigint NOT NULL,
  input_tokens         numeric NOT NULL,
  output_tokens        numeric NOT NULL,
  images               bigint NOT NULL,
  revenue_microcents   numeric NOT NULL,
  cost_microcents      numeric NOT NULL,
  duration_buckets     integer[],
  duration_counts      bigint[],
  first_output_buckets integer[],
  first_output_counts  bigint[]
);
CREATE TABLE request_days (LIKE request_hours);
CREATE TABLE request_customer_days (LIKE request_hours, customer_id uuid NOT NULL);
CREATE INDEX request_hours_project_id_start_idx ON request_hours (project_id, start);
CREATE INDEX request_hours_start_idx ON request_hours (start);
CREATE INDEX request_days_project_id_start_idx ON request_days (project_id, start);
CREATE INDEX request_days_start_idx ON request_days (start);
CREATE INDEX request_customer_days_customer_id_start_idx ON request_customer_days (project_id, customer_id, start);
-- Ranks customers without reading the table.
CREATE INDEX request_customer_days_ranking_idx ON request_customer_days (project_id, start, customer_id) INCLUDE (requests);
CREATE INDEX request_customer_days_start_idx ON request_customer_days (start);

-- Triggers, because a replica of the previous version also writes during a roll-out. Rows of the current hour need no mark: an hour is
-- rolled up only after every transaction that saw it as the current one has ended.
CREATE FUNCTION mark_request_hours() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  open_hour CONSTANT timestamptz := date_trunc('hour', clock_timestamp(), 'UTC');
BEGIN
  INSERT INTO request_rollup_marks (hour, project_id, customer_id)
    SELECT DISTINCT date_trunc('hour', at, 'UTC'), project_id,
           coalesce(customer_id, '00000000-0000-0000-0000-000000000000')
      FROM changed WHERE at < open_hour;
  RETURN NULL;
END $$;
CREATE TRIGGER requests_inserted AFTER INSERT ON requests
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION mark_request_hours();
CREATE TRIGGER requests_updated_from AFTER UPDATE ON requests
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION mark_request_hours();
CREATE TRIGGER requests_updated_to AFTER UPDATE ON requests
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION mark_request_hours();
CREATE TRIGGER requests_deleted AFTER DELETE ON requests
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION mark_request_hours();
