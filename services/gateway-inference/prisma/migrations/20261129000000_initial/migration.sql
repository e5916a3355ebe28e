-- The tables of commit 83ba954b, before which migrations are squashed. ../../schema.prisma says what each table and column is.
-- A database with all of the migrations below has these tables: there, this file is only recorded.
-- upgrade through commit 83ba954b
-- replaces 20261121000600_images
-- replaces 20261122213000_images_deleted_at
-- replaces 20261122213001_images_expiring
-- replaces 20261123115000_stored_responses
-- replaces 20261123140000_conversations

-- --- Stored responses ------------------------------------------------------------------------------------------------------

-- An answer of POST /v1/responses that its client can read, continue and delete.
CREATE TABLE stored_responses (
  id           uuid PRIMARY KEY,
  project_id   uuid NOT NULL,
  customer_id  uuid,
  response_id  text NOT NULL,
  previous_id  uuid,
  response     text NOT NULL,
  input_items  text NOT NULL,
  output_items text NOT NULL,
  bytes        integer NOT NULL,
  created_at   timestamptz(3) NOT NULL,
  expires_at   timestamptz(3) NOT NULL,
  kept_until   timestamptz(3) NOT NULL,
  deleted_at   timestamptz(3)
);
CREATE INDEX stored_responses_response_id_idx ON stored_responses (project_id, response_id);
-- Finds out whether other responses continue a deleted one.
CREATE INDEX stored_responses_previous_id_idx ON stored_responses (previous_id) WHERE previous_id IS NOT NULL;
CREATE INDEX stored_responses_kept_until_idx ON stored_responses (kept_until);
-- Deletes hidden responses that no other continues any more.
CREATE INDEX stored_responses_deleted_at_idx ON stored_responses (deleted_at) WHERE deleted_at IS NOT NULL;
-- Ranks a caller's responses by age, to delete those beyond the limit.
CREATE INDEX stored_responses_caller_idx ON stored_responses (project_id, coalesce(customer_id, project_id), kept_until);

-- The place of an output item in a stored response, so that a request can refer to an item by its id.
CREATE TABLE stored_response_items (
  stored_response_id uuid NOT NULL REFERENCES stored_responses (id) ON DELETE CASCADE,
  position           integer NOT NULL,
  item_id            text NOT NULL,
  PRIMARY KEY (stored_response_id, position)
);
CREATE INDEX stored_response_items_item_id_idx ON stored_response_items (item_id);

-- --- Conversations ---------------------------------------------------------------------------------------------------------

-- A list of items that turns read and append to.
CREATE TABLE conversations (
  id            uuid PRIMARY KEY,
  project_id    uuid NOT NULL,
  customer_id   uuid,
  metadata      text NOT NULL,
  next_position integer NOT NULL,
  items         integer NOT NULL,
  bytes         bigint NOT NULL,
  created_at    timestamptz(3) NOT NULL,
  expires_at    timestamptz(3) NOT NULL
);
CREATE INDEX conversations_expires_at_idx ON conversations (expires_at);
-- Ranks a caller's conversations by age, to delete those beyond the limit.
CREATE INDEX conversations_caller_idx ON conversations (project_id, coalesce(customer_id, project_id), expires_at);

-- An item of a conversation: a message, a call, a result.
CREATE TABLE conversation_items (
  conversation_id uuid NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
  position        integer NOT NULL,
  item_id         text NOT NULL,
  item            text NOT NULL,
  bytes           integer NOT NULL,
  source_id       uuid NOT NULL,
  PRIMARY KEY (conversation_id, position)
);
CREATE UNIQUE INDEX conversation_items_item_id_idx ON conversation_items (conversation_id, item_id);

-- A turn or request that has added items, so that each adds them once; also a superseded attempt, which adds none.
CREATE TABLE conversation_appends (
  source_id       uuid PRIMARY KEY,
  conversation_id uuid,
  is_discarded    boolean NOT NULL,
  created_at      timestamptz(3) NOT NULL
);
CREATE INDEX conversation_appends_created_at_idx ON conversation_appends (created_at);

-- --- Images ----------------------------------------------------------------------------------------------------------------

-- A generated image.
CREATE TABLE images (
  id          uuid PRIMARY KEY,
  project_id  uuid NOT NULL,
  customer_id uuid,
  model_id    text NOT NULL,
  mime_type   text NOT NULL,
  file_token  text NOT NULL,
  created_at  timestamptz(3) NOT NULL,
  expires_at  timestamptz(3),
  deleted_at  timestamptz(3)
);
CREATE INDEX images_expires_at_idx ON images (expires_at);
-- Deletes rows a month after their files.
CREATE INDEX images_deleted_at_idx ON images (deleted_at) WHERE deleted_at IS NOT NULL;
-- Deletes the files of expired images, the oldest first.
CREATE INDEX images_expiring_idx ON images (expires_at) WHERE deleted_at IS NULL;
