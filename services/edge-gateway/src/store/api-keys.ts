import type { Queryable } from '@tollgate/postgres';
import type { KeyInfo } from '../domain/identity.js';
import { findKeyByHashes, findKeyIssuer } from './gen/api-keys.js';
import { toProjectInfo } from './projects.js';

export interface ApiKey {
  id: string;
  projectId: string;
  kind: KeyInfo['kind'];
  label: string;
  last4: string;
  spendLimitCents: bigint | null;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  createdAt: Date;
}

/** The columns of an `ApiKey`, of the table `api_keys k`. */
const COLUMNS = `k.id, k.project_id AS "projectId", k.kind, k.label, k.last4, k.spend_limit_cents AS "spendLimitCents",
  k.expires_at AS "expiresAt", k.last_used_at AS "lastUsedAt", k.created_at AS "createdAt"`;

/** A key that may be used, and under which of the hashes it is stored. */
export interface FoundKey {
  info: KeyInfo;
  keyHash: Uint8Array;
  /** Undefined: made before the pepper was stored. */
  pepperId: string | undefined;
}

/** Finds a key by its hash under any pepper; undefined when it is revoked or its project is deleted. */
export async function readKeyByHashes(db: Queryable, hashes: readonly Uint8Array[]): Promise<FoundKey | undefined> {
  const key = await findKeyByHashes(db, { hashes });
  if (!key) return undefined;
  const info = {
    keyId: key.keyId,
    kind: key.kind,
    project: toProjectInfo(key),
    spendLimitCents: key.spendLimitCents ?? undefined,
    expiresMs: key.expiresAt?.getTime(),
  };
  return { info, keyHash: key.keyHash, pepperId: key.pepperId ?? undefined };
}

/** Returns the active keys of the account's projects, newest first. */
export async function listApiKeys(
  db: Queryable,
  filter: { accountId: string; projectId?: string | undefined },
  page: { limit: number; offset: number },
): Promise<ApiKey[]> {
  const { rows } = await db.query<ApiKey>(
    `SELECT ${COLUMNS} FROM api_keys k JOIN projects p ON p.id = k.project_id
      WHERE k.revoked_at IS NULL AND p.account_id = $1 AND p.deleted_at IS NULL AND ($2::uuid IS NULL OR p.id = $2)
      ORDER BY k.created_at DESC, k.id DESC LIMIT $3 OFFSET $4`,
    [filter.accountId, filter.projectId ?? null, page.limit, page.offset],
  );
  return rows;
}

/** Keys never move between projects. */
export async function isKeyOfProject(db: Queryable, keyId: string, projectId: string): Promise<boolean> {
  const { rowCount } = await db.query('SELECT 1 FROM api_keys WHERE id = $1 AND project_id = $2', [keyId, projectId]);
  return rowCount === 1;
}

/** Locks an active key of the account until the transaction ends; returns undefined when there is none. */
export async function lockApiKey(tx: Queryable, accountId: string, keyId: string): Promise<ApiKey | undefined> {
  const { rows } = await tx.query<ApiKey>(
    `SELECT ${COLUMNS} FROM api_keys k JOIN projects p ON p.id = k.project_id
      WHERE k.id = $2 AND k.revoked_at IS NULL AND p.account_id = $1 AND p.deleted_at IS NULL FOR UPDATE OF k`,
    [accountId, keyId],
  );
  return rows[0];
}

/** Marks an active key of the account as revoked; returns false when there is none. */
export async function revokeApiKeyRow(db: Queryable, accountId: string, keyId: string, at: Date): Promise<boolean> {
  const result = await db.query(
    `UPDATE api_keys k SET revoked_at = $3 FROM projects p
      WHERE k.id = $2 AND k.revoked_at IS NULL AND p.id = k.project_id AND p.account_id = $1 AND p.deleted_at IS NULL`,
    [accountId, keyId, at],
  );
  return result.rowCount === 1;
}

/** Updates all keys used since the last flush in one statement; never replaces a later time by an earlier one. */
export async function updateLastUsed(db: Queryable, uses: ReadonlyMap<string, number>): Promise<void> {
  await db.query(
    `UPDATE api_keys k SET last_used_at = u.at
       FROM unnest($1::uuid[], $2::timestamptz[]) AS u (id, at)
      WHERE k.id = u.id AND (k.last_used_at IS NULL OR k.last_used_at < u.at)`,
    [[...uses.keys()], [...uses.values()].map((ms) => new Date(ms).toISOString())],
  );
}

/** Stores the hash under the current pepper and keeps the earlier one, unless another edge was first. */
export async function replaceKeyHash(
  db: Queryable,
  keyId: string,
  hashes: { from: Uint8Array; to: Uint8Array; pepperId: string },
): Promise<void> {
  await db.query(
    `UPDATE api_keys SET previous_key_hash = key_hash, key_hash = $3, pepper_id = $4 WHERE id = $1 AND key_hash = $2`,
    [keyId, hashes.from, hashes.to, hashes.pepperId],
  );
}

/** Stores the pepper of a hash that was made before peppers were stored. */
export async function stampPepper(db: Queryable, keyId: string, hash: Uint8Array, pepperId: string): Promise<void> {
  await db.query(`UPDATE api_keys SET pepper_id = $3 WHERE id = $1 AND key_hash = $2 AND pepper_id IS NULL`, [
    keyId,
    hash,
    pepperId,
  ]);
}

/** Revokes up to `limit` keys whose hash was made with another pepper than the given one. Returns how many. */
export async function revokeKeysOfOtherPeppers(db: Queryable, pepperId: string, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    `UPDATE api_keys SET revoked_at = now() WHERE id = ANY (ARRAY(
       SELECT id FROM api_keys WHERE revoked_at IS NULL AND pepper_id IS DISTINCT FROM $1 LIMIT $2 FOR UPDATE))`,
    [pepperId, limit],
  );
  return rowCount ?? 0;
}

/** Forgets the hashes under earlier peppers of up to `limit` keys hashed with this pepper. Returns how many. */
export async function forgetPreviousHashes(db: Queryable, pepperId: string, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    `UPDATE api_keys SET previous_key_hash = NULL WHERE id = ANY (ARRAY(
       SELECT id FROM api_keys WHERE previous_key_hash IS NOT NULL AND pepper_id = $1 LIMIT $2 FOR UPDATE SKIP LOCKED))`,
    [pepperId, limit],
  );
  return rowCount ?? 0;
}

export interface PepperCount {
  /** Null: keys made before the pepper was stored. */
  pepperId: string | null;
  keys: number;
}

/** Counts the active keys of living projects by the pepper of their hash. */
export async function countKeysByPepper(db: Queryable): Promise<PepperCount[]> {
  const { rows } = await db.query<PepperCount>(
    `SELECT k.pepper_id AS "pepperId", count(*)::int AS keys FROM api_keys k JOIN projects p ON p.id = k.project_id
     WHERE k.revoked_at IS NULL AND p.deleted_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())
     GROUP BY 1 ORDER BY 1 NULLS FIRST`,
  );
  return rows;
}

interface DependentKey {
  keyId: string;
  projectId: string;
  label: string;
  lastUsedAt: Date | null;
}

/** Returns active keys whose hash was made with another pepper than the given one, the most recently used first. */
export async function listKeysOfOtherPeppers(db: Queryable, pepperId: string, limit: number): Promise<DependentKey[]> {
  const { rows } = await db.query<DependentKey>(
    `SELECT k.id AS "keyId", k.project_id AS "projectId", k.label, k.last_used_at AS "lastUsedAt"
     FROM api_keys k JOIN projects p ON p.id = k.project_id
     WHERE k.revoked_at IS NULL AND p.deleted_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())
       AND k.pepper_id IS DISTINCT FROM $1 ORDER BY k.last_used_at DESC NULLS LAST, k.id LIMIT $2`,
    [pepperId, limit],
  );
  return rows;
}

interface KeyIssuer {
  /** Undefined: neither the key nor the audit log names the user. */
  userId: string | undefined;
  /** The key's row names the user. */
  isStored: boolean;
}

/** Returns who created or rotated the key. Rows without a user were written by a version without the column. */
export async function readKeyIssuer(db: Queryable, keyId: string): Promise<KeyIssuer> {
  const key = await findKeyIssuer(db, { keyId });
  return { userId: key?.issuedBy ?? key?.derived ?? undefined, isStored: (key?.issuedBy ?? null) !== null };
}

/** Stores the user of a key whose row names none: audit events are deleted after some time. */
export async function stampKeyIssuer(db: Queryable, keyId: string, userId: string): Promise<void> {
  await db.query('UPDATE api_keys SET issued_by = $2 WHERE id = $1 AND issued_by IS NULL', [keyId, userId]);
}
