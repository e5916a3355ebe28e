import type { Queryable } from '@tollgate/postgres';
import type { SealedSecret } from '@tollgate/runtime/secret-box';
import type { PreviousSecret } from '../domain/webhooks/delivery.js';

/** The tables with sealed secrets. Those of attempts are not resealed: they expire within minutes. */
export const SECRET_TABLES = ['webhooks', 'tool_hooks', 'mcp_servers', 'mcp_authorizations'] as const;
export type SecretTable = (typeof SECRET_TABLES)[number];

/** Which rows exist for their owners. */
const LIVING: Readonly<Record<SecretTable, string>> = {
  webhooks: 'deleted_at IS NULL',
  tool_hooks: 'deleted_at IS NULL',
  mcp_servers: 'deleted_at IS NULL',
  mcp_authorizations: 'true',
};

export interface SecretColumns {
  secret_key_id: string;
  secret_sealed: Buffer;
}

export function toSealedSecret(row: SecretColumns): SealedSecret {
  return { keyId: row.secret_key_id, bytes: row.secret_sealed };
}

/** Returns the values of both columns; null keeps what is stored. */
export function toSecretInput<T extends SealedSecret | undefined>(secret: T) {
  type Kept = T extends SealedSecret ? never : null;
  return {
    secretKeyId: (secret?.keyId ?? null) as string | Kept,
    secretSealed: (secret?.bytes ?? null) as Buffer | Kept,
  };
}

/** Of the secret that a rotation replaced. */
export interface PreviousSecretColumns {
  previous_secret_key_id: string | null;
  previous_secret_sealed: Buffer | null;
  previous_secret_until: Date | null;
}

export function toPreviousSecret(row: PreviousSecretColumns): PreviousSecret | undefined {
  const { previous_secret_key_id: keyId, previous_secret_sealed: bytes, previous_secret_until: until } = row;
  return keyId !== null && bytes !== null && until !== null ? { secret: { keyId, bytes }, until } : undefined;
}

/** Returns secrets that one of these keys sealed. */
export async function selectSecretsOfKeys(
  db: Queryable,
  table: SecretTable,
  keyIds: readonly string[],
  limit: number,
): Promise<{ id: string; secret: SealedSecret }[]> {
  const { rows } = await db.query<SecretColumns & { id: string }>(
    `SELECT id, secret_key_id, secret_sealed FROM ${table}
     WHERE secret_key_id = ANY ($1::text[]) AND ${LIVING[table]} LIMIT $2`,
    [keyIds, limit],
  );
  return rows.map((row) => ({ id: row.id, secret: toSealedSecret(row) }));
}

/** Counts secrets that none of these keys sealed. */
export async function countSecretsBeyondKeys(
  db: Queryable,
  table: SecretTable,
  keyIds: readonly string[],
): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM ${table} WHERE secret_key_id <> ALL ($1::text[]) AND ${LIVING[table]}`,
    [keyIds],
  );
  return rows[0]!.count;
}

/** Replaces the sealed form unless the secret was rotated since it was read. */
export async function replaceSealedSecret(
  db: Queryable,
  table: SecretTable,
  id: string,
  { before, after }: { before: SealedSecret; after: SealedSecret },
): Promise<void> {
  await db.query(`UPDATE ${table} SET secret_key_id = $3, secret_sealed = $4 WHERE id = $1 AND secret_sealed = $2`, [
    id,
    before.bytes,
    after.keyId,
    after.bytes,
  ]);
}
