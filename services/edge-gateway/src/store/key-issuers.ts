import type { Queryable } from '@tollgate/postgres';

/** The audit event of a key is written after its creation, by the same request. */
const AUDIT_WINDOW = "interval '10 minutes'";
/** No member can have joined a project this soon: the key was created with it. */
const SIGN_UP_WINDOW = "interval '1 second'";

export interface KeyIssuer {
  /** Undefined: neither the key nor the audit log names the user. */
  userId: string | undefined;
  /** The key's row names the user. */
  isStored: boolean;
}

/** Returns who created or rotated the key. Rows without a user were written by a version without the column. */
export async function readKeyIssuer(db: Queryable, keyId: string): Promise<KeyIssuer> {
  const { rows } = await db.query<{ issuedBy: string | null; derived: string | null }>(
    `SELECT k.issued_by AS "issuedBy",
            coalesce((SELECT a.actor_id FROM audit_events a
                       WHERE a.account_id = p.account_id AND a.subject_id = k.id::text AND a.actor_kind = 'user'
                         AND a.action IN ('api_key.created', 'api_key.rotated')
                         AND a.at BETWEEN k.created_at - ${AUDIT_WINDOW} AND k.created_at + ${AUDIT_WINDOW}
                       ORDER BY a.at LIMIT 1),
                     CASE WHEN k.created_at <= p.created_at + ${SIGN_UP_WINDOW} THEN p.owner_id::text END) AS derived
       FROM api_keys k JOIN projects p ON p.id = k.project_id WHERE k.id = $1`,
    [keyId],
  );
  const key = rows[0];
  return { userId: key?.issuedBy ?? key?.derived ?? undefined, isStored: (key?.issuedBy ?? null) !== null };
}

/** Stores the user of a key whose row names none: audit events are deleted after some time. */
export async function stampKeyIssuer(db: Queryable, keyId: string, userId: string): Promise<void> {
  await db.query('UPDATE api_keys SET issued_by = $2 WHERE id = $1 AND issued_by IS NULL', [keyId, userId]);
}
