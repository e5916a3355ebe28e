CREATE TABLE "agents" (
    "id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "current_revision" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "agents_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "agent_revisions" (
    "agent_id" UUID NOT NULL,
    "revision" INTEGER NOT NULL,
    "system" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "tools" JSON NOT NULL,
    "fragments" JSON NOT NULL,
    "max_steps" INTEGER NOT NULL,
    "max_duration_sec" INTEGER NOT NULL,
    "step_timeout_sec" INTEGER NOT NULL,
    "tool_failure_policy" TEXT NOT NULL,
    "tool_retry_count" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "agent_revisions_pkey" PRIMARY KEY ("agent_id","revision")
);

CREATE TABLE "state_handles" (
    "id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "customer_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "state_handles_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "agents_project_id_created_at_id_idx" ON "agents"("project_id", "created_at", "id");

CREATE INDEX "state_handles_project_id_created_at_id_idx" ON "state_handles"("project_id", "created_at", "id");

CREATE INDEX "state_handles_project_id_customer_id_created_at_id_idx" ON "state_handles"("project_id", "customer_id", "created_at", "id");

CREATE INDEX "state_handles_expires_at_idx" ON "state_handles"("expires_at");

ALTER TABLE "agent_revisions" ADD CONSTRAINT "agent_revisions_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "agents"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- A deleted agent frees its slug. Invisible to Prisma, which knows no partial indexes.
CREATE UNIQUE INDEX "agents_living_slug" ON "agents"("project_id", "slug") WHERE "deleted_at" IS NULL;

CREATE TABLE outbox (
  seq          bigint      GENERATED ALWAYS AS IDENTITY,
  id           uuid        NOT NULL,
  topic        text        NOT NULL,
  key          text        NOT NULL,
  type         text        NOT NULL,
  payload      bytea       NOT NULL,
  occurred_at  timestamptz NOT NULL DEFAULT now(),
  request_id   text,
  traceparent  text,
  published_at timestamptz
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);
CREATE UNIQUE INDEX outbox_unpublished ON outbox (seq) WHERE published_at IS NULL;
CREATE INDEX outbox_published ON outbox (published_at) WHERE published_at IS NOT NULL;

CREATE TABLE outbox_lease (
  name       text        PRIMARY KEY,
  holder     uuid        NOT NULL,
  epoch      bigint      NOT NULL,
  expires_at timestamptz NOT NULL
);
