import type { Queryable } from '@tollgate/postgres';
import type { KeyInfo } from '../domain/identity.js';
import type { ApiKey } from './generated/client.js';
import type { Db } from './prisma.js';
import { toProjectInfo } from './projects.js';

export type { ApiKey };

export async function readKeyByHash(db: Db, hash: Uint8Array): Promise<KeyInfo | undefined> {
  const key = await db.apiKey.findUnique({
    where: { keyHash: Uint8Array.from(hash) },
    include: { project: true },
  });
  if (!key || key.revokedAt || key.project.deletedAt) return undefined;
  return {
    keyId: key.id,
    kind: key.kind as KeyInfo['kind'],
    project: toProjectInfo(key.project),
    spendLimitCents: key.spendLimitCents ?? undefined,
    expiresMs: key.expiresAt?.getTime(),
  };
}

/** Finds revoked keys, too. */
export function findKeyRowByHash(db: Db, hash: Uint8Array): Promise<ApiKey | null> {
  return db.apiKey.findUnique({ where: { keyHash: Uint8Array.from(hash) } });
}

export type NewApiKey = Pick<ApiKey, 'id' | 'projectId' | 'kind' | 'label' | 'last4' | 'createdAt'> & {
  keyHash: Uint8Array;
  spendLimitCents?: bigint | undefined;
  expiresAt?: Date | undefined;
};

export function insertApiKey(db: Db, key: NewApiKey): Promise<ApiKey> {
  return db.apiKey.create({
    data: {
      ...key,
      keyHash: Uint8Array.from(key.keyHash),
      spendLimitCents: key.spendLimitCents ?? null,
      expiresAt: key.expiresAt ?? null,
    },
  });
}

/** Returns the active keys of the account's projects, newest first. */
export function listApiKeys(
  db: Db,
  filter: { accountId: string; projectId?: string | undefined },
  page: { limit: number; offset: number },
): Promise<ApiKey[]> {
  return db.apiKey.findMany({
    where: {
      revokedAt: null,
      project: { accountId: filter.accountId, deletedAt: null, ...(filter.projectId ? { id: filter.projectId } : {}) },
    },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: page.limit,
    skip: page.offset,
  });
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
