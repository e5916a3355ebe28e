import type { Queryable } from '@tollgate/postgres';

export type CodeKind = 'invitation' | 'password_reset';

/** `subjectId` is the invitation's id, or the id of the user who resets a password. */
export async function insertOneTimeCode(
  db: Queryable,
  code: { hash: Buffer; kind: CodeKind; subjectId: string; expiresAt: Date },
): Promise<void> {
  await db.query('INSERT INTO one_time_codes (code_hash, kind, subject_id, expires_at) VALUES ($1, $2, $3, $4)', [
    code.hash,
    code.kind,
    code.subjectId,
    code.expiresAt,
  ]);
}

/** Returns the subject of a code that is still valid. */
export async function findCodeSubject(
  db: Queryable,
  hash: Buffer,
  kind: CodeKind,
  at: Date,
): Promise<string | undefined> {
  const { rows } = await db.query<{ subject_id: string }>(
    'SELECT subject_id FROM one_time_codes WHERE code_hash = $1 AND kind = $2 AND expires_at > $3',
    [hash, kind, at],
  );
  return rows[0]?.subject_id;
}

/** Ends all codes of the subject. */
export async function deleteOneTimeCodes(db: Queryable, kind: CodeKind, subjectId: string): Promise<void> {
  await db.query('DELETE FROM one_time_codes WHERE subject_id = $2 AND kind = $1', [kind, subjectId]);
}
