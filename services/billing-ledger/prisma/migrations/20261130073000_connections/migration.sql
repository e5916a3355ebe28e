-- The ways to model providers that projects have themselves, with their sealed keys.
CREATE TABLE connections (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL,
  name text NOT NULL,
  mode text NOT NULL,
  entry jsonb NOT NULL,
  models jsonb NOT NULL,
  secret_key_id text NOT NULL,
  secret_sealed bytea NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL
);

CREATE UNIQUE INDEX connections_project_id_name_key ON connections (project_id, name);
