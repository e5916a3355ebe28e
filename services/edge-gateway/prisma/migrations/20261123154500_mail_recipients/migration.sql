-- Bounds the mails to one address. On a large live database build it first, with the same name and CONCURRENTLY: the
-- migration then skips it. Indexes on expressions are invisible to Prisma and to its drift check.
CREATE INDEX IF NOT EXISTS "mails_recipient_created_at_idx" ON "mails"(lower(trim("recipient")), "created_at");
