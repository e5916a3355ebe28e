-- AlterTable
ALTER TABLE "projects" ADD COLUMN "portal_color" TEXT;
ALTER TABLE "projects" ADD COLUMN "portal_origins" TEXT[] NOT NULL DEFAULT '{}';

-- CreateTable
-- A link to the portal that has not been opened.
CREATE TABLE "portal_links" (
    "code_hash" BYTEA NOT NULL,
    "project_id" UUID NOT NULL,
    "customer_id" UUID NOT NULL,
    "return_url" TEXT,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "portal_links_pkey" PRIMARY KEY ("code_hash")
);

-- CreateTable
-- A customer's sign-in by a device code or through the portal, until its token expires.
CREATE TABLE "customer_sessions" (
    "id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "customer_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "user_agent" TEXT,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "customer_sessions_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "portal_links_expires_at_idx" ON "portal_links"("expires_at");

-- CreateIndex
CREATE INDEX "customer_sessions_customer_id_started_at_idx" ON "customer_sessions"("customer_id", "started_at");

-- CreateIndex
CREATE INDEX "customer_sessions_expires_at_idx" ON "customer_sessions"("expires_at");
