import { lockUntilCommit, type Queryable, type Tx } from '@tollgate/postgres';
import type { SealedSecret } from '@tollgate/runtime/secret-box';
import { isUuid } from '@tollgate/runtime/uuid';
import type { AuthorizationStatus, McpServer, McpServerSettings } from '../../domain/mcp/mcp-server.js';
import { type Listing, listingSchema } from '../../domain/mcp/offered-tools.js';
import {
  changeMcpServer,
  insertMcpServerRow,
  type ChangeMcpServerRow as Row,
  storeMcpListing,
} from '../gen/mcp/mcp-servers.js';
import { toSealedSecret, toSecretInput } from '../sealed-secrets.js';

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
  await lockUntilCommit(tx, `mcp_servers of ${server.projectId}`);
  const { rows } = await tx.query<{ count: number; is_taken: boolean }>(
    `SELECT count(*)::int AS count, coalesce(bool_or(name = $2), false) AS is_taken
     FROM mcp_servers WHERE project_id = $1 AND deleted_at IS NULL`,
    [server.projectId, server.name],
  );
  if (rows[0]!.is_taken) return 'name_taken';
  if (rows[0]!.count >= max) return 'full';
  await insertMcpServerRow(tx, { ...server, ...toSecretInput(server.secret) });
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
  await storeMcpListing(db, { id, projectId, updatedAt, listing: JSON.stringify(listing), listedAt: now });
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
  const { credentials, ...settings } = change;
  const headerNames = credentials?.headerNames ?? null;
  const secret = toSecretInput(credentials?.secret);
  const row = await changeMcpServer(db, { ...settings, ...secret, headerNames, id, projectId });
  return row && toMcpServer(row);
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
