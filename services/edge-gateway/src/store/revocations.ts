import type { Queryable } from '@tollgate/postgres';

export type RevocationKind = 'key' | 'session' | 'customer' | 'customer_session' | 'project';

export interface RevocationRow {
  subject_id: string;
  at: Date;
  expires_at: Date;
}

export async function insertRevocation(
  db: Queryable,
  kind: RevocationKind,
  subjectId: string,
  expiresAt: Date,
): Promise<void> {
  await db.query(
    `INSERT INTO revocations (subject_id, kind, at, expires_at) VALUES ($1, $2, clock_timestamp(), $3)
     ON CONFLICT (subject_id) DO NOTHING`,
    [subjectId, kind, expiresAt],
  );
}

export async function insertRevocations(
  db: Queryable,
  kind: RevocationKind,
  subjectIds: readonly string[],
  expiresAt: Date,
): Promise<void> {
  await db.query(
    `INSERT INTO revocations (subject_id, kind, at, expires_at)
     SELECT id, $2, clock_timestamp(), $3 FROM unnest($1::uuid[]) AS id ON CONFLICT (subject_id) DO NOTHING`,
    [subjectIds, kind, expiresAt],
  );
}

export async function readRevocationsSince(db: Queryable, since: Date): Promise<RevocationRow[]> {
  const result = await db.query<RevocationRow>(
    'SELECT subject_id, at, expires_at FROM revocations WHERE at > $1 AND expires_at > now()',
    [since],
  );
  return result.rows;
}
