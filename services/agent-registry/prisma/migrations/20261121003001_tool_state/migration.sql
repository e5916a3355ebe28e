CREATE TABLE "state_handle_contents" (
    "state_id" UUID NOT NULL,
    "state" JSON NOT NULL,

    CONSTRAINT "state_handle_contents_pkey" PRIMARY KEY ("state_id")
);

CREATE TABLE "agent_memories" (
    "agent_id" UUID NOT NULL,
    "content" TEXT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "agent_memories_pkey" PRIMARY KEY ("agent_id")
);

ALTER TABLE "state_handle_contents" ADD CONSTRAINT "state_handle_contents_state_id_fkey" FOREIGN KEY ("state_id") REFERENCES "state_handles"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE "agent_memories" ADD CONSTRAINT "agent_memories_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "agents"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;
