-- Memories that exist already stay in agent_memories: they become the agent's own document.
CREATE TABLE "agent_customer_memories" (
    "agent_id" UUID NOT NULL,
    "customer_id" UUID NOT NULL,
    "content" TEXT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "agent_customer_memories_pkey" PRIMARY KEY ("agent_id","customer_id")
);

CREATE TABLE "deleted_customers" (
    "customer_id" UUID NOT NULL,
    "deleted_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "deleted_customers_pkey" PRIMARY KEY ("customer_id")
);

CREATE INDEX "agent_customer_memories_customer_id_idx" ON "agent_customer_memories"("customer_id");

CREATE INDEX "deleted_customers_deleted_at_idx" ON "deleted_customers"("deleted_at");

ALTER TABLE "agent_customer_memories" ADD CONSTRAINT "agent_customer_memories_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "agents"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;
