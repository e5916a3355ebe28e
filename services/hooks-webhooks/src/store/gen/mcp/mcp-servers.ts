// Generated from mcp/mcp-servers.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';

export interface InsertMcpServerRowInput {
  id: string;
  projectId: string;
  name: string;
  endpointUrl: string;
  enabled: boolean;
  timeoutMs: number;
  toolsAllowlist: readonly (string | null)[];
  headerNames: readonly (string | null)[];
  secretKeyId: string;
  secretSealed: Uint8Array;
  createdAt: Date;
  updatedAt: Date;
}

const INSERT_MCP_SERVER_ROW = `
  INSERT INTO mcp_servers (id, project_id, name, endpoint_url, enabled, timeout_ms, tools_allowlist, header_names,
    secret_key_id, secret_sealed, created_at, updated_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8,
    $9, $10, $11, $12)`;

export async function insertMcpServerRow(db: Queryable, input: InsertMcpServerRowInput): Promise<void> {
  await db.query({
    name: 'insert_mcp_server_row',
    text: INSERT_MCP_SERVER_ROW,
    values: [
      input.id,
      input.projectId,
      input.name,
      input.endpointUrl,
      input.enabled,
      input.timeoutMs,
      input.toolsAllowlist,
      input.headerNames,
      input.secretKeyId,
      input.secretSealed,
      input.createdAt,
      input.updatedAt,
    ],
  });
}

export interface StoreMcpListingInput {
  listing: string;
  listedAt: Date;
  id: string;
  projectId: string;
  updatedAt: Date;
}

const STORE_MCP_LISTING = `
  UPDATE mcp_servers SET listing = $1, listed_at = $2
  WHERE id = $3 AND project_id = $4 AND updated_at = $5`;

export async function storeMcpListing(db: Queryable, input: StoreMcpListingInput): Promise<void> {
  await db.query({
    name: 'store_mcp_listing',
    text: STORE_MCP_LISTING,
    values: [
      input.listing,
      input.listedAt,
      input.id,
      input.projectId,
      input.updatedAt,
    ],
  });
}

export interface ChangeMcpServerInput {
  endpointUrl: string;
  enabled: boolean;
  timeoutMs: number;
  toolsAllowlist: readonly (string | null)[];
  headerNames: readonly (string | null)[] | null;
  secretKeyId: string | null;
  secretSealed: Uint8Array | null;
  updatedAt: Date;
  id: string;
  projectId: string;
  basedOn: Date;
}

export interface ChangeMcpServerRow {
  id: string;
  project_id: string;
  name: string;
  endpoint_url: string;
  enabled: boolean;
  timeout_ms: number;
  tools_allowlist: string[];
  header_names: string[];
  secret_key_id: string;
  secret_sealed: Buffer;
  created_at: Date;
  updated_at: Date;
  authorization_status: string | null;
  authorization_origin: string | null;
}

const CHANGE_MCP_SERVER = `
  UPDATE mcp_servers
  SET endpoint_url = $1, enabled = $2, timeout_ms = $3, tools_allowlist = $4,
    header_names = coalesce($5, header_names), secret_key_id = coalesce($6, secret_key_id),
    secret_sealed = coalesce($7, secret_sealed), listing = NULL, listed_at = NULL,
    updated_at = greatest($8, updated_at + interval '1 millisecond')
  WHERE id = $9 AND project_id = $10 AND deleted_at IS NULL AND updated_at = $11
  RETURNING id, project_id, name, endpoint_url, enabled, timeout_ms, tools_allowlist, header_names, secret_key_id, secret_sealed,
    created_at, updated_at, (SELECT status FROM mcp_authorizations a WHERE a.id = mcp_servers.id) AS authorization_status,
    (SELECT endpoint_origin FROM mcp_authorizations a WHERE a.id = mcp_servers.id) AS authorization_origin`;

/** Keeps credentials that are null. */
export async function changeMcpServer(db: Queryable, input: ChangeMcpServerInput): Promise<ChangeMcpServerRow | undefined> {
  const { rows } = await db.query<ChangeMcpServerRow>({
    name: 'change_mcp_server',
    text: CHANGE_MCP_SERVER,
    values: [
      input.endpointUrl,
      input.enabled,
      input.timeoutMs,
      input.toolsAllowlist,
      input.headerNames,
      input.secretKeyId,
      input.secretSealed,
      input.updatedAt,
      input.id,
      input.projectId,
      input.basedOn,
    ],
  });
  return rows[0];
}
