-- The contents of a mail besides its link, for kinds whose cause is not stored elsewhere.
ALTER TABLE "mails" ADD COLUMN "details" JSONB;
