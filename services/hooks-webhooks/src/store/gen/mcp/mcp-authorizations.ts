// Generated from mcp/mcp-authorizations.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';

export interface PutMcpAuthorizationRowInput {
  endpointOrigin: string;
  secretKeyId: string;
  secretSealed: Uint8Array;
  expiresAt: Date | null;
  id: string;
  projectId: string;
}

const PUT_MCP_AUTHORIZATION_ROW = `
  INSERT INTO mcp_authorizations (id, project_id, endpoint_origin, status, secret_key_id, secret_sealed, expires_at, generation)
  SELECT id, project_id, $1, 'authorized', $2, $3, $4, 1
  FROM mcp_servers WHERE id = $5 AND project_id = $6 AND deleted_at IS NULL FOR SHARE
  ON CONFLICT (id) DO UPDATE
  SET endpoint_origin = excluded.endpoint_origin, status = excluded.status, secret_key_id = excluded.secret_key_id,
    secret_sealed = excluded.secret_sealed, expires_at = excluded.expires_at, generation = mcp_authorizations.generation + 1,
    refreshing_until = NULL, updated_at = now()`;

export async function putMcpAuthorizationRow(db: Queryable, input: PutMcpAuthorizationRowInput): Promise<void> {
  await db.query({
    name: 'put_mcp_authorization_row',
    text: PUT_MCP_AUTHORIZATION_ROW,
    values: [
      input.endpointOrigin,
      input.secretKeyId,
      input.secretSealed,
      input.expiresAt,
      input.id,
      input.projectId,
    ],
  });
}

export interface StoreRefreshedTokensInput {
  secretKeyId: string;
  secretSealed: Uint8Array;
  expiresAt: Date | null;
  id: string;
  generation: number;
}

const STORE_REFRESHED_TOKENS = `
  UPDATE mcp_authorizations
  SET secret_key_id = $1, secret_sealed = $2, expires_at = $3, generation = generation + 1,
    refreshing_until = NULL, updated_at = now()
  WHERE id = $4 AND generation = $5`;

export async function storeRefreshedTokens(db: Queryable, input: StoreRefreshedTokensInput): Promise<number> {
  const { rowCount } = await db.query({
    name: 'store_refreshed_tokens',
    text: STORE_REFRESHED_TOKENS,
    values: [
      input.secretKeyId,
      input.secretSealed,
      input.expiresAt,
      input.id,
      input.generation,
    ],
  });
  return rowCount ?? 0;
}

export interface InsertAuthorizationAttemptInput {
  stateHash: Uint8Array;
  serverId: string;
  projectId: string;
  userId: string;
  sessionId: string;
  endpointOrigin: string;
  secretKeyId: string;
  secretSealed: Uint8Array;
  ttlMs: number;
  max: bigint | number;
}

const INSERT_AUTHORIZATION_ATTEMPT = `
  INSERT INTO mcp_authorization_attempts (state_hash, server_id, project_id, user_id, session_id, endpoint_origin, secret_key_id,
    secret_sealed, expires_at)
  SELECT $1, $2, $3, $4, $5, $6, $7, $8,
    now() + $9 * interval '1 ms'
  WHERE (SELECT count(*) FROM mcp_authorization_attempts WHERE server_id = $2 AND expires_at > now()) < $10`;

export async function insertAuthorizationAttempt(db: Queryable, input: InsertAuthorizationAttemptInput): Promise<number> {
  const { rowCount } = await db.query({
    name: 'insert_authorization_attempt',
    text: INSERT_AUTHORIZATION_ATTEMPT,
    values: [
      input.stateHash,
      input.serverId,
      input.projectId,
      input.userId,
      input.sessionId,
      input.endpointOrigin,
      input.secretKeyId,
      input.secretSealed,
      input.ttlMs,
      input.max,
    ],
  });
  return rowCount ?? 0;
}

export interface TakeAuthorizationAttemptInput {
  stateHash: Uint8Array;
  serverId: string;
  projectId: string;
  userId: string;
  sessionId: string;
}

export interface TakeAuthorizationAttemptRow {
  endpoint_origin: string;
  secret_key_id: string;
  secret_sealed: Buffer;
}

const TAKE_AUTHORIZATION_ATTEMPT = `
  DELETE FROM mcp_authorization_attempts
  WHERE state_hash = $1 AND server_id = $2 AND project_id = $3 AND user_id = $4
    AND session_id = $5 AND expires_at > now()
  RETURNING endpoint_origin, secret_key_id, secret_sealed`;

export async function takeAuthorizationAttempt(db: Queryable, input: TakeAuthorizationAttemptInput): Promise<TakeAuthorizationAttemptRow | undefined> {
  const { rows } = await db.query<TakeAuthorizationAttemptRow>({
    name: 'take_authorization_attempt',
    text: TAKE_AUTHORIZATION_ATTEMPT,
    values: [
      input.stateHash,
      input.serverId,
      input.projectId,
      input.userId,
      input.sessionId,
    ],
  });
  return rows[0];
}
