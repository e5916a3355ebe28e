-- CreateTable
CREATE TABLE "sign_in_sources" (
    "email_key" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "failed_at" TIMESTAMPTZ(3),
    "blocked_until" TIMESTAMPTZ(3),
    "succeeded_at" TIMESTAMPTZ(3),
    "touched_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sign_in_sources_pkey" PRIMARY KEY ("email_key","source")
);

-- CreateIndex
CREATE INDEX "sign_in_sources_touched_at_idx" ON "sign_in_sources"("touched_at");
