-- AlterTable
-- "refuse" or "drop": what happens to parameters of a model request that its provider lacks.
ALTER TABLE "projects" ADD COLUMN "unsupported_parameters" TEXT NOT NULL DEFAULT 'refuse';
