-- The tables of commit 83ba954b, before which migrations are squashed. ../../schema.prisma says what each table and column is.
-- A database with all of the migrations below has these tables: there, this file is only recorded.
-- upgrade through commit 83ba954b
-- replaces 20261120150000_messages
-- replaces 20261123171000_messages_by_project
-- replaces 20261123171001_messages_by_customer
-- replaces 20261123171002_messages_by_sender

-- --- Messages --------------------------------------------------------------------------------------------------------------

-- A message from one address to another.
CREATE TABLE messages (
  id           uuid PRIMARY KEY,
  seq          bigserial,
  project_id   uuid NOT NULL,
  customer_id  uuid,
  from_address text NOT NULL,
  to_address   text NOT NULL,
  subject      text NOT NULL,
  body         text NOT NULL,
  thread_id    uuid NOT NULL,
  created_at   timestamptz(3) NOT NULL,
  read_at      timestamptz(3),
  read_key     text,
  dedupe_key   text
);
CREATE UNIQUE INDEX messages_seq_key ON messages (seq);
CREATE INDEX messages_project_id_to_address_seq_idx ON messages (project_id, to_address, seq);
CREATE INDEX messages_project_id_customer_id_to_address_seq_idx ON messages (project_id, customer_id, to_address, seq);
CREATE INDEX messages_thread_id_seq_idx ON messages (thread_id, seq);
CREATE UNIQUE INDEX messages_project_id_dedupe_key_key ON messages (project_id, dedupe_key);
-- Reads an inbox: a long-lived mailbox has few unread messages among many read ones.
CREATE INDEX messages_unread_idx ON messages (project_id, to_address, seq) WHERE read_at IS NULL;
-- Returns what an earlier ReadInbox call took.
CREATE INDEX messages_read_key_idx ON messages (project_id, to_address, read_key) WHERE read_key IS NOT NULL;
CREATE INDEX messages_project_id_seq_idx ON messages (project_id, seq);
CREATE INDEX messages_project_id_customer_id_seq_idx ON messages (project_id, customer_id, seq);
CREATE INDEX messages_project_id_from_address_seq_idx ON messages (project_id, from_address, seq);
