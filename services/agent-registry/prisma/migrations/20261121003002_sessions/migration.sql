CREATE TABLE "sessions" (
    "id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "customer_id" UUID,
    "metadata" JSON NOT NULL,
    "tool_state" JSON NOT NULL,
    "message_count" INTEGER NOT NULL,
    "message_bytes" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "session_messages" (
    "session_id" UUID NOT NULL,
    "seq" INTEGER NOT NULL,
    "id" UUID NOT NULL,
    "role" TEXT NOT NULL,
    "content" JSON NOT NULL,
    "run_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "session_messages_pkey" PRIMARY KEY ("session_id","seq")
);

CREATE INDEX "sessions_project_id_created_at_id_idx" ON "sessions"("project_id", "created_at", "id");

CREATE INDEX "sessions_project_id_customer_id_created_at_id_idx" ON "sessions"("project_id", "customer_id", "created_at", "id");

ALTER TABLE "session_messages" ADD CONSTRAINT "session_messages_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "sessions"("id") ON DELETE CASCADE ON UPDATE NO ACTION;
