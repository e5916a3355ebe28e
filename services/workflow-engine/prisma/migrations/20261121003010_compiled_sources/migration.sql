CREATE TABLE "compiled_sources" (
    "key" TEXT NOT NULL,
    "project_id" UUID NOT NULL,
    "result" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "compiled_sources_pkey" PRIMARY KEY ("key")
);

CREATE INDEX "compiled_sources_last_used_at_idx" ON "compiled_sources"("last_used_at");
