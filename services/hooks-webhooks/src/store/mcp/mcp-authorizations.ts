import type { Queryable } from '@tollgate/postgres';
import type { SealedSecret } from '@tollgate/runtime/secret-box';
import {
  insertAuthorizationAttempt,
  putMcpAuthorizationRow,
  storeRefreshedTokens,
  takeAuthorizationAttempt,
} from '../gen/mcp/mcp-authorizations.js';
import { type SecretColumns, toSealedSecret, toSecretInput } from '../sealed-secrets.js';

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
  const { secret, expiresAt = null, ...values } = row;
  await putMcpAuthorizationRow(db, { ...values, ...toSecretInput(secret), expiresAt });
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
  const tokens = { ...toSecretInput(secret), expiresAt: expiresAt ?? null };
  return (await storeRefreshedTokens(db, { id, generation, ...tokens })) === 1;
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
  const { secret, ...values } = attempt;
  return (await insertAuthorizationAttempt(db, { ...values, ...toSecretInput(secret), stateHash, ttlMs, max })) === 1;
}

/** Returns and deletes an attempt of this server and session, so that each state works once. */
export async function takeAttempt(
  db: Queryable,
  stateHash: Buffer,
  by: Pick<AuthorizationAttempt, 'serverId' | 'projectId' | 'userId' | 'sessionId'>,
): Promise<Pick<AuthorizationAttempt, 'endpointOrigin' | 'secret'> | undefined> {
  const row = await takeAuthorizationAttempt(db, { ...by, stateHash });
  return row && { endpointOrigin: row.endpoint_origin, secret: toSealedSecret(row) };
}
