// Generated from api-keys.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';
import type { KeyKind } from '../../domain/api-key.js';
import type { BillingMode, UnsupportedParameters } from '../../domain/identity.js';

export interface FindKeyByHashesInput {
  hashes: readonly Uint8Array[];
}

export interface FindKeyByHashesRow {
  keyId: string;
  kind: KeyKind;
  spendLimitCents: bigint | null;
  expiresAt: Date | null;
  keyHash: Buffer;
  pepperId: string | null;
  id: string;
  accountId: string;
  billingMode: BillingMode;
  publishableClaims: boolean;
  responseCache: boolean;
  responseStorage: boolean | null;
  unsupportedParameters: UnsupportedParameters;
  mcpForCustomers: boolean;
}

const FIND_KEY_BY_HASHES = `
  SELECT k.id AS "keyId", k.kind, k.spend_limit_cents AS "spendLimitCents", k.expires_at AS "expiresAt",
    k.key_hash AS "keyHash", k.pepper_id AS "pepperId", p.id, p.account_id AS "accountId",
    p.billing_mode AS "billingMode", p.publishable_claims AS "publishableClaims", p.response_cache AS "responseCache",
    p.response_storage AS "responseStorage", p.unsupported_parameters AS "unsupportedParameters",
    p.mcp_for_customers AS "mcpForCustomers"
  FROM api_keys k JOIN projects p ON p.id = k.project_id
  WHERE (k.key_hash = ANY ($1::bytea[]) OR k.previous_key_hash = ANY ($1::bytea[]))
    AND k.revoked_at IS NULL AND p.deleted_at IS NULL`;

/** Finds a key by its hash under any pepper, unless it is revoked or its project is deleted: once per key, process and minute. */
export async function findKeyByHashes(db: Queryable, input: FindKeyByHashesInput): Promise<FindKeyByHashesRow | undefined> {
  const { rows } = await db.query<FindKeyByHashesRow>({
    name: 'find_key_by_hashes',
    text: FIND_KEY_BY_HASHES,
    values: [
      input.hashes,
    ],
  });
  return rows[0];
}

export interface InsertApiKeyInput {
  id: string;
  projectId: string;
  kind: string;
  label: string;
  last4: string;
  keyHash: Uint8Array;
  previousKeyHash: Uint8Array | null;
  pepperId: string;
  spendLimitCents: bigint | number | null;
  expiresAt: Date | null;
  createdAt: Date;
  issuedBy: string | null;
}

export interface InsertApiKeyRow {
  id: string;
  projectId: string;
  kind: KeyKind;
  label: string;
  last4: string;
  spendLimitCents: bigint | null;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  createdAt: Date;
}

const INSERT_API_KEY = `
  INSERT INTO api_keys (id, project_id, kind, label, last4, key_hash, previous_key_hash, pepper_id, spend_limit_cents, expires_at,
                        created_at, issued_by)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10,
          $11, $12)
  RETURNING id, project_id AS "projectId", kind, label, last4, spend_limit_cents AS "spendLimitCents", expires_at AS "expiresAt",
    last_used_at AS "lastUsedAt", created_at AS "createdAt"`;

export async function insertApiKey(db: Queryable, input: InsertApiKeyInput): Promise<InsertApiKeyRow | undefined> {
  const { rows } = await db.query<InsertApiKeyRow>({
    name: 'insert_api_key',
    text: INSERT_API_KEY,
    values: [
      input.id,
      input.projectId,
      input.kind,
      input.label,
      input.last4,
      input.keyHash,
      input.previousKeyHash,
      input.pepperId,
      input.spendLimitCents,
      input.expiresAt,
      input.createdAt,
      input.issuedBy,
    ],
  });
  return rows[0];
}

export interface UpdateApiKeyRowInput {
  label: string | null;
  setsExpiry: boolean;
  expiresAt: Date | null;
  keyId: string;
  accountId: string;
}

export interface UpdateApiKeyRowRow {
  id: string;
  projectId: string;
  kind: KeyKind;
  label: string;
  last4: string;
  spendLimitCents: bigint | null;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  createdAt: Date;
}

const UPDATE_API_KEY_ROW = `
  UPDATE api_keys k
  SET label = coalesce($1, label), expires_at = CASE WHEN $2 THEN $3::timestamptz ELSE expires_at END
  FROM projects p
  WHERE k.id = $4 AND k.revoked_at IS NULL AND p.id = k.project_id AND p.account_id = $5 AND p.deleted_at IS NULL
  RETURNING k.id, k.project_id AS "projectId", k.kind, k.label, k.last4, k.spend_limit_cents AS "spendLimitCents",
    k.expires_at AS "expiresAt", k.last_used_at AS "lastUsedAt", k.created_at AS "createdAt"`;

/** Changes an active key of the account: its label unless null, its expiry if `sets_expiry`. */
export async function updateApiKeyRow(db: Queryable, input: UpdateApiKeyRowInput): Promise<UpdateApiKeyRowRow | undefined> {
  const { rows } = await db.query<UpdateApiKeyRowRow>({
    name: 'update_api_key_row',
    text: UPDATE_API_KEY_ROW,
    values: [
      input.label,
      input.setsExpiry,
      input.expiresAt,
      input.keyId,
      input.accountId,
    ],
  });
  return rows[0];
}

export interface FindKeyIssuerInput {
  keyId: string;
}

export interface FindKeyIssuerRow {
  issuedBy: string | null;
  derived: string | null;
}

const FIND_KEY_ISSUER = `
  SELECT k.issued_by AS "issuedBy", coalesce(
    (SELECT a.actor_id FROM audit_events a
     WHERE a.account_id = p.account_id AND a.subject_id = k.id::text AND a.actor_kind = 'user'
       AND a.action IN ('api_key.created', 'api_key.rotated')
       AND a.at BETWEEN k.created_at - interval '10 minutes' AND k.created_at + interval '10 minutes'
     ORDER BY a.at LIMIT 1),
    CASE WHEN k.created_at <= p.created_at + interval '1 second' THEN p.owner_id::text END) AS derived
  FROM api_keys k JOIN projects p ON p.id = k.project_id WHERE k.id = $1`;

/** Returns the user in the key's row, and otherwise the user whom the audit log or the sign-up names. */
export async function findKeyIssuer(db: Queryable, input: FindKeyIssuerInput): Promise<FindKeyIssuerRow | undefined> {
  const { rows } = await db.query<FindKeyIssuerRow>({
    name: 'find_key_issuer',
    text: FIND_KEY_ISSUER,
    values: [
      input.keyId,
    ],
  });
  return rows[0];
}
