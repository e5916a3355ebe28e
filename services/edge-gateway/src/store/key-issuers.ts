import type { Queryable } from '@tollgate/postgres';
import { findKeyIssuer } from './gen/api-keys.js';

export interface KeyIssuer {
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
