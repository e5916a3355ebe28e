CREATE TABLE "sql_profiles" (
    "id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "policy" JSON NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sql_profiles_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "sql_profiles_project_id_created_at_id_idx" ON "sql_profiles"("project_id", "created_at", "id");
