-- Responses of POST /v1/responses, stored for the customer that asked, or for the project itself (customer_id is null).
CREATE TABLE "stored_responses" (
    -- The hold of the turn.
    "id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "customer_id" UUID,
    -- As clients know it. Vendors choose it in forwarded answers, so it need not be unique: the newest one counts.
    "response_id" TEXT NOT NULL,
    -- The response that this one continues. Not a foreign key: an expired one may be deleted first.
    "previous_id" UUID,
    -- JSON as text: it may hold escaped NULs, which the type JSONB rejects. The response has no items.
    "response" TEXT NOT NULL,
    "input_items" TEXT NOT NULL,
    "output_items" TEXT NOT NULL,
    "bytes" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    -- Until then clients can read and continue it.
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    -- Until then its items are kept for the responses that continue it.
    "kept_until" TIMESTAMPTZ(3) NOT NULL,
    -- Deleted by its client, and kept for the responses that continue it.
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "stored_responses_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "stored_responses_response_id_idx" ON "stored_responses"("project_id", "response_id");
CREATE INDEX "stored_responses_previous_id_idx" ON "stored_responses"("previous_id") WHERE "previous_id" IS NOT NULL;
CREATE INDEX "stored_responses_kept_until_idx" ON "stored_responses"("kept_until");
CREATE INDEX "stored_responses_deleted_at_idx" ON "stored_responses"("deleted_at") WHERE "deleted_at" IS NOT NULL;
CREATE INDEX "stored_responses_caller_idx" ON "stored_responses"("project_id", (coalesce("customer_id", "project_id")), "kept_until");

-- Where the items of outputs are, by their ids.
CREATE TABLE "stored_response_items" (
    "stored_response_id" UUID NOT NULL,
    -- In output_items.
    "position" INTEGER NOT NULL,
    "item_id" TEXT NOT NULL,

    CONSTRAINT "stored_response_items_pkey" PRIMARY KEY ("stored_response_id", "position"),
    CONSTRAINT "stored_response_items_stored_response_id_fkey" FOREIGN KEY ("stored_response_id")
        REFERENCES "stored_responses"("id") ON DELETE CASCADE
);
CREATE INDEX "stored_response_items_item_id_idx" ON "stored_response_items"("item_id");
