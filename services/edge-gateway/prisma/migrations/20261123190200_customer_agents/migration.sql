-- AlterTable
-- Whether customers' tokens list and call the project's agents as tools at /v1/mcp.
ALTER TABLE "projects" ADD COLUMN "mcp_for_customers" BOOLEAN NOT NULL DEFAULT true;
