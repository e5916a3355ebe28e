-- AlterTable
ALTER TABLE "customers" ADD COLUMN "blocked_at" TIMESTAMPTZ(3);
