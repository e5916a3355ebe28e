-- Null: as the installation decides.
ALTER TABLE "projects" ADD COLUMN "response_storage" BOOLEAN;
