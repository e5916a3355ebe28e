-- When a request was superseded, or given up before it was seen: no part of it is admitted any more.
ALTER TABLE holds ADD COLUMN superseded_at timestamptz(3);

-- Requests that are part of another one, such as an image that a turn's tool call pays for. Written before the part is
-- admitted, so that whoever supersedes the whole finds its parts.
CREATE TABLE hold_parts (
  request_id uuid NOT NULL,
  part_id    uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (request_id, part_id)
);
