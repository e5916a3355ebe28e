import type { Queryable, Tx } from '@tollgate/postgres';
import { isUuid } from '@tollgate/runtime/uuid';
import type { AuthorizationStatus, McpServer, McpServerSettings } from '../../domain/mcp/mcp-server.js';
import { type Listing, listingSchema } from '../../domain/mcp/offered-tools.js';
import type { SealedSecret } from '../../domain/secret-box.js';
import { lockProject } from '../project-limit.js';
import { type SecretColumns, toSealedSecret } from '../sealed-secrets.js';

interface Row extends SecretColumns {
  authorization_status: string | null;
  authorization_origin: string | null;
  id: string;
  project_id: string;
  name: string;
  endpoint_url: string;
  enabled: boolean;
  timeout_ms: number;
  tools_allowlist: string[];
  header_names: string[];
  created_at: Date;
  updated_at: Date;
}

const COLUMNS = `id, project_id, name, endpoint_url, enabled, timeout_ms, tools_allowlist, header_names,
  secret_key_id, secret_sealed, created_at, updated_at`;
const READ_COLUMNS = `${COLUMNS},
  (SELECT status FROM mcp_authorizations a WHERE a.id = mcp_servers.id) AS authorization_status,
  (SELECT endpoint_origin FROM mcp_authorizations a WHERE a.id = mcp_servers.id) AS authorization_origin`;

/** Inserts nothing when the project has `max` servers or one with the name. */
export async function insertMcpServer(
  tx: Tx,
  server: McpServer,
  max: number,
): Promise<'inserted' | 'full' | 'name_taken'> {
  await lockProject(tx, 'mcp_servers', server.projectId);
  const { rows } = await tx.query<{ count: number; is_taken: boolean }>(
    `SELECT count(*)::int AS count, coalesce(bool_or(name = $2), false) AS is_taken
     FROM mcp_servers WHERE project_id = $1 AND deleted_at IS NULL`,
    [server.projectId, server.name],
  );
  if (rows[0]!.is_taken) return 'name_taken';
  if (rows[0]!.count >= max) return 'full';
  await tx.query(`INSERT INTO mcp_servers (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`, [
    server.id,
    server.projectId,
    server.name,
    server.endpointUrl,
    server.enabled,
    server.timeoutMs,
    server.toolsAllowlist,
    server.headerNames,
    server.secret.keyId,
    server.secret.bytes,
    server.createdAt,
    server.updatedAt,
  ]);
  return 'inserted';
}

export async function findMcpServer(db: Queryable, projectId: string, id: string): Promise<McpServer | undefined> {
  if (!isUuid(id)) return undefined;
  const { rows } = await db.query<Row>(
    `SELECT ${READ_COLUMNS} FROM mcp_servers WHERE id = $1 AND project_id = $2 AND deleted_at IS NULL`,
    [id, projectId],
  );
  return rows[0] && toMcpServer(rows[0]);
}

export async function selectMcpServers(
  db: Queryable,
  projectId: string,
  page: { limit: number; offset: number },
): Promise<McpServer[]> {
  const { rows } = await db.query<Row>(
    `SELECT ${READ_COLUMNS} FROM mcp_servers WHERE project_id = $1 AND deleted_at IS NULL
     ORDER BY created_at, seq LIMIT $2 OFFSET $3`,
    [projectId, page.limit, page.offset],
  );
  return rows.map(toMcpServer);
}

/** A server with its stored listing, if it has one. */
export interface ListedMcpServer {
  server: McpServer;
  listing: Listing | undefined;
  listedAt: Date | undefined;
}

/** Returns the servers with these names, in any order. */
export async function selectMcpServersByName(
  db: Queryable,
  projectId: string,
  names: readonly string[],
): Promise<ListedMcpServer[]> {
  const { rows } = await db.query<Row & { listing: string | null; listed_at: Date | null }>({
    name: 'mcp_servers.by_name',
    text: `SELECT ${READ_COLUMNS}, listing, listed_at FROM mcp_servers
           WHERE project_id = $1 AND name = ANY ($2::text[]) AND deleted_at IS NULL`,
    values: [projectId, names],
  });
  return rows.map((row) => ({
    server: toMcpServer(row),
    listing: row.listing === null ? undefined : listingSchema.parse(JSON.parse(row.listing)),
    listedAt: row.listed_at ?? undefined,
  }));
}

/** Stores a listing, unless the server's settings have changed since it was read. */
export async function storeListing(
  db: Queryable,
  { id, projectId, updatedAt }: Pick<McpServer, 'id' | 'projectId' | 'updatedAt'>,
  listing: Listing,
  now: Date,
): Promise<void> {
  await db.query(
    'UPDATE mcp_servers SET listing = $4, listed_at = $5 WHERE id = $1 AND project_id = $2 AND updated_at = $3',
    [id, projectId, updatedAt, JSON.stringify(listing), now],
  );
}

export interface McpServerChange extends McpServerSettings {
  /** Undefined when the headers do not change. */
  credentials: { headerNames: string[]; secret: SealedSecret } | undefined;
  updatedAt: Date;
  /** `updatedAt` of the settings that the change is based on. */
  basedOn: Date;
}

/** Forgets the stored listing. Returns undefined when the server was deleted or changed by another update. */
export async function updateMcpServer(
  db: Queryable,
  projectId: string,
  id: string,
  change: McpServerChange,
): Promise<McpServer | undefined> {
  const { rows } = await db.query<Row>(
    `UPDATE mcp_servers
     SET endpoint_url = $3, enabled = $4, timeout_ms = $5, tools_allowlist = $6,
         header_names = coalesce($7, header_names), secret_key_id = coalesce($8, secret_key_id),
         secret_sealed = coalesce($9, secret_sealed),
         updated_at = greatest($10, updated_at + interval '1 millisecond'), listing = NULL, listed_at = NULL
     WHERE id = $1 AND project_id = $2 AND deleted_at IS NULL AND updated_at = $11 RETURNING ${READ_COLUMNS}`,
    [
      id,
      projectId,
      change.endpointUrl,
      change.enabled,
      change.timeoutMs,
      change.toolsAllowlist,
      change.credentials?.headerNames ?? null,
      change.credentials?.secret.keyId ?? null,
      change.credentials?.secret.bytes ?? null,
      change.updatedAt,
      change.basedOn,
    ],
  );
  return rows[0] && toMcpServer(rows[0]);
}

/** Returns false when no such server exists. Deletes its tokens. */
export async function markMcpServerDeleted(db: Queryable, projectId: string, id: string, now: Date): Promise<boolean> {
  if (!isUuid(id)) return false;
  const { rows } = await db.query(
    `WITH forgotten AS (DELETE FROM mcp_authorizations WHERE id = $1 AND project_id = $2),
          unfinished AS (DELETE FROM mcp_authorization_attempts WHERE server_id = $1 AND project_id = $2)
     UPDATE mcp_servers SET deleted_at = $3 WHERE id = $1 AND project_id = $2 AND deleted_at IS NULL RETURNING id`,
    [id, projectId, now],
  );
  return rows.length === 1;
}

export async function markMcpServersDeleted(db: Queryable, projectId: string, now: Date): Promise<void> {
  await db.query(
    `WITH forgotten AS (DELETE FROM mcp_authorizations WHERE project_id = $1)
     UPDATE mcp_servers SET deleted_at = $2 WHERE project_id = $1 AND deleted_at IS NULL`,
    [projectId, now],
  );
}

/** Forgets the stored listing: another account may have other tools. */
export async function forgetListing(db: Queryable, id: string): Promise<void> {
  await db.query('UPDATE mcp_servers SET listing = NULL, listed_at = NULL WHERE id = $1', [id]);
}

function toMcpServer(row: Row): McpServer {
  return {
    id: row.id,
    projectId: row.project_id,
    name: row.name,
    endpointUrl: row.endpoint_url,
    enabled: row.enabled,
    timeoutMs: row.timeout_ms,
    toolsAllowlist: row.tools_allowlist,
    headerNames: row.header_names,
    authorizationStatus: toAuthorizationStatus(row),
    secret: toSealedSecret(row),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** Tokens of another origin are not sent: the owner has moved the server. */
function toAuthorizationStatus(row: Row): AuthorizationStatus {
  if (row.authorization_status === null) return 'none';
  const isCurrent = row.authorization_origin === new URL(row.endpoint_url).origin;
  return isCurrent && row.authorization_status === 'authorized' ? 'authorized' : 'authorization_required';
}
