-- Conversations of /v1/conversations, kept for the customer that created them, or for the project itself (customer_id is null).
CREATE TABLE "conversations" (
    "id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "customer_id" UUID,
    -- JSON object of strings, as text.
    "metadata" TEXT NOT NULL,
    -- Position of the next item. Updating it orders concurrent appends: each one takes a block of positions.
    "next_position" INTEGER NOT NULL,
    -- Of its items.
    "items" INTEGER NOT NULL,
    "bytes" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "conversations_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "conversations_expires_at_idx" ON "conversations"("expires_at");
CREATE INDEX "conversations_caller_idx" ON "conversations"("project_id", (coalesce("customer_id", "project_id")), "expires_at");

CREATE TABLE "conversation_items" (
    "conversation_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "item_id" TEXT NOT NULL,
    -- JSON as text, as it was sent or answered.
    "item" TEXT NOT NULL,
    "bytes" INTEGER NOT NULL,
    -- The hold of the turn, or the attempt of the request, that added it.
    "source_id" UUID NOT NULL,

    CONSTRAINT "conversation_items_pkey" PRIMARY KEY ("conversation_id", "position"),
    CONSTRAINT "conversation_items_conversation_id_fkey" FOREIGN KEY ("conversation_id")
        REFERENCES "conversations"("id") ON DELETE CASCADE
);
CREATE UNIQUE INDEX "conversation_items_item_id_idx" ON "conversation_items"("conversation_id", "item_id");

-- Turns and requests that have added items, so that each adds them once, and superseded attempts, which add none.
CREATE TABLE "conversation_appends" (
    "source_id" UUID NOT NULL,
    -- Null if the attempt was superseded before it added anything.
    "conversation_id" UUID,
    "is_discarded" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "conversation_appends_pkey" PRIMARY KEY ("source_id")
);
CREATE INDEX "conversation_appends_created_at_idx" ON "conversation_appends"("created_at");
