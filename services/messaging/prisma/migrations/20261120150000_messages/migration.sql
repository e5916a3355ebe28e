CREATE TABLE "messages" (
    "id" UUID NOT NULL,
    "seq" BIGSERIAL NOT NULL,
    "project_id" UUID NOT NULL,
    "customer_id" UUID,
    "from_address" TEXT NOT NULL,
    "to_address" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "thread_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "read_at" TIMESTAMPTZ(3),
    "read_key" TEXT,
    "dedupe_key" TEXT,

    CONSTRAINT "messages_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "messages_seq_key" ON "messages"("seq");
CREATE INDEX "messages_project_id_to_address_seq_idx" ON "messages"("project_id", "to_address", "seq");
CREATE INDEX "messages_project_id_customer_id_to_address_seq_idx" ON "messages"("project_id", "customer_id", "to_address", "seq");
CREATE INDEX "messages_thread_id_seq_idx" ON "messages"("thread_id", "seq");
CREATE UNIQUE INDEX "messages_project_id_dedupe_key_key" ON "messages"("project_id", "dedupe_key");

-- Partial indexes are invisible to Prisma and to its drift check.
-- A long-lived mailbox holds few unread messages among many read ones.
CREATE INDEX "messages_unread_idx" ON "messages"("project_id", "to_address", "seq") WHERE "read_at" IS NULL;
CREATE INDEX "messages_read_key_idx" ON "messages"("project_id", "to_address", "read_key") WHERE "read_key" IS NOT NULL;
