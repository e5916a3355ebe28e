-- AlterTable
ALTER TABLE "projects" ADD COLUMN "response_cache" BOOLEAN NOT NULL DEFAULT false;
