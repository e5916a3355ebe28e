import type { Queryable } from '@tollgate/postgres';
import type { SealedSecret } from '../../domain/secret-box.js';
import { type SecretColumns, toSealedSecret } from '../sealed-secrets.js';

/** The connection of a server, with its tokens sealed. */
export interface McpAuthorization {
  id: string;
  endpointOrigin: string;
  status: 'authorized' | 'authorization_required';
  secret: SealedSecret;
  /** Of the access token. */
  expiresAt: Date | undefined;
  /** Counts the tokens: what is based on earlier ones changes nothing. */
  generation: number;
}

interface Row extends SecretColumns {
  id: string;
  endpoint_origin: string;
  status: McpAuthorization['status'];
  expires_at: Date | null;
  generation: number;
}

export async function findMcpAuthorization(db: Queryable, id: string): Promise<McpAuthorization | undefined> {
  const { rows } = await db.query<Row>(
    `SELECT id, endpoint_origin, status, secret_key_id, secret_sealed, expires_at, generation
     FROM mcp_authorizations WHERE id = $1`,
    [id],
  );
  const row = rows[0];
  if (!row) return undefined;
  const { endpoint_origin: endpointOrigin, status, generation } = row;
  return {
    id: row.id,
    endpointOrigin,
    status,
    generation,
    secret: toSealedSecret(row),
    expiresAt: row.expires_at ?? undefined,
  };
}

/** Connects a server, or replaces its connection. Does nothing for a server that was deleted. */
export async function putMcpAuthorization(
  db: Queryable,
  row: { id: string; projectId: string; endpointOrigin: string; secret: SealedSecret; expiresAt: Date | undefined },
): Promise<void> {
  await db.query(
    `INSERT INTO mcp_authorizations (id, project_id, endpoint_origin, status, secret_key_id, secret_sealed, expires_at, generation)
     SELECT id, project_id, $3, 'authorized', $4, $5, $6, 1
     FROM mcp_servers WHERE id = $1 AND project_id = $2 AND deleted_at IS NULL FOR SHARE
     ON CONFLICT (id) DO UPDATE
     SET endpoint_origin = excluded.endpoint_origin, status = excluded.status, secret_key_id = excluded.secret_key_id,
         secret_sealed = excluded.secret_sealed, expires_at = excluded.expires_at,
         generation = mcp_authorizations.generation + 1, refreshing_until = NULL, updated_at = now()`,
    [row.id, row.projectId, row.endpointOrigin, row.secret.keyId, row.secret.bytes, row.expiresAt ?? null],
  );
}

/** Returns true for one process at a time; it refreshes these tokens within `leaseMs`. */
export async function claimRefresh(
  db: Queryable,
  { id, generation }: Pick<McpAuthorization, 'id' | 'generation'>,
  leaseMs: number,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE mcp_authorizations SET refreshing_until = now() + $3 * interval '1 ms'
     WHERE id = $1 AND generation = $2 AND status = 'authorized' AND (refreshing_until IS NULL OR refreshing_until < now())`,
    [id, generation, leaseMs],
  );
  return rowCount === 1;
}

/** Replaces the tokens of this generation, and ends the claim. Returns false when the server was connected again or disconnected. */
export async function storeRefreshed(
  db: Queryable,
  { id, generation }: Pick<McpAuthorization, 'id' | 'generation'>,
  { secret, expiresAt }: { secret: SealedSecret; expiresAt: Date | undefined },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE mcp_authorizations
     SET secret_key_id = $3, secret_sealed = $4, expires_at = $5, generation = generation + 1, refreshing_until = NULL,
         updated_at = now()
     WHERE id = $1 AND generation = $2`,
    [id, generation, secret.keyId, secret.bytes, expiresAt ?? null],
  );
  return rowCount === 1;
}

/** Ends the claim without new tokens. */
export async function endRefresh(
  db: Queryable,
  { id, generation }: Pick<McpAuthorization, 'id' | 'generation'>,
): Promise<void> {
  await db.query('UPDATE mcp_authorizations SET refreshing_until = NULL WHERE id = $1 AND generation = $2', [
    id,
    generation,
  ]);
}

/** Records that the tokens of this generation are no longer accepted. */
export async function markAuthorizationLost(
  db: Queryable,
  { id, generation }: Pick<McpAuthorization, 'id' | 'generation'>,
): Promise<void> {
  await db.query(
    `UPDATE mcp_authorizations SET status = 'authorization_required', refreshing_until = NULL, updated_at = now()
     WHERE id = $1 AND generation = $2`,
    [id, generation],
  );
}

/** Returns false when the server is not connected. */
export async function deleteMcpAuthorization(db: Queryable, id: string): Promise<boolean> {
  const { rowCount } = await db.query('DELETE FROM mcp_authorizations WHERE id = $1', [id]);
  return rowCount === 1;
}

/** An authorization that an owner has started. */
export interface AuthorizationAttempt {
  serverId: string;
  projectId: string;
  userId: string;
  sessionId: string;
  endpointOrigin: string;
  secret: SealedSecret;
}

/** Inserts nothing when the server has `max` attempts. */
export async function insertAttempt(
  db: Queryable,
  stateHash: Buffer,
  attempt: AuthorizationAttempt,
  { ttlMs, max }: { ttlMs: number; max: number },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `INSERT INTO mcp_authorization_attempts (state_hash, server_id, project_id, user_id, session_id, endpoint_origin,
                                             secret_key_id, secret_sealed, expires_at)
     SELECT $1, $2, $3, $4, $5, $6, $7, $8, now() + $9 * interval '1 ms'
     WHERE (SELECT count(*) FROM mcp_authorization_attempts WHERE server_id = $2 AND expires_at > now()) < $10`,
    [
      stateHash,
      attempt.serverId,
      attempt.projectId,
      attempt.userId,
      attempt.sessionId,
      attempt.endpointOrigin,
      attempt.secret.keyId,
      attempt.secret.bytes,
      ttlMs,
      max,
    ],
  );
  return rowCount === 1;
}

/** Returns and deletes an attempt of this server and session, so that each state works once. */
export async function takeAttempt(
  db: Queryable,
  stateHash: Buffer,
  by: Pick<AuthorizationAttempt, 'serverId' | 'projectId' | 'userId' | 'sessionId'>,
): Promise<Pick<AuthorizationAttempt, 'endpointOrigin' | 'secret'> | undefined> {
  const { rows } = await db.query<SecretColumns & { endpoint_origin: string }>(
    `DELETE FROM mcp_authorization_attempts
     WHERE state_hash = $1 AND server_id = $2 AND project_id = $3 AND user_id = $4 AND session_id = $5 AND expires_at > now()
     RETURNING endpoint_origin, secret_key_id, secret_sealed`,
    [stateHash, by.serverId, by.projectId, by.userId, by.sessionId],
  );
  return rows[0] && { endpointOrigin: rows[0].endpoint_origin, secret: toSealedSecret(rows[0]) };
}
