-- CreateTable
-- Mails that wait, were sent or were given up. They contain no secret: the code of a link is made when a mail is sent.
CREATE TABLE "mails" (
    "id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "recipient" TEXT NOT NULL,
    "subject_id" UUID,
    "base_url" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "ended_at" TIMESTAMPTZ(3),
    "outcome" TEXT,
    -- Only in the local mailbox.
    "subject" TEXT,
    "text" TEXT,

    CONSTRAINT "mails_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "mails_due_at_idx" ON "mails"("due_at") WHERE "ended_at" IS NULL;

-- CreateIndex
CREATE INDEX "mails_created_at_idx" ON "mails"("created_at");
