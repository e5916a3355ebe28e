import { type SqlPolicy, sqlPolicySchema } from '@tollgate/api/state';
import { isUuid } from '@tollgate/runtime/uuid';
import type { SqlProfile } from '../domain/sql-profile.js';
import type { Db } from './db.js';
import type { SqlProfile as Row } from './generated/client.js';
import { parseStored, toJson } from './json-columns.js';

export async function insertProfile(db: Db, profile: SqlProfile): Promise<void> {
  await db.sqlProfile.create({ data: { ...profile, policy: toJson(profile.policy) } });
}

export async function findProfile(db: Db, projectId: string, id: string): Promise<SqlProfile | undefined> {
  if (!isUuid(id)) return undefined;
  const row = await db.sqlProfile.findFirst({ where: { projectId, id } });
  return row ? toProfile(row) : undefined;
}

/** Oldest first. */
export async function listProfiles(
  db: Db,
  projectId: string,
  page: { take: number; skip: number },
): Promise<SqlProfile[]> {
  const orderBy = [{ createdAt: 'asc' as const }, { id: 'asc' as const }];
  const rows = await db.sqlProfile.findMany({ where: { projectId }, orderBy, ...page });
  return rows.map(toProfile);
}

/** Keeps fields that are undefined. Returns undefined when the project has no such profile. */
export async function changeProfile(
  db: Db,
  projectId: string,
  id: string,
  change: { name: string | undefined; policy: SqlPolicy | undefined; updatedAt: Date },
): Promise<SqlProfile | undefined> {
  if (!isUuid(id)) return undefined;
  const { name, policy, updatedAt } = change;
  const data = { updatedAt, ...(name !== undefined && { name }), ...(policy && { policy: toJson(policy) }) };
  const [row] = await db.sqlProfile.updateManyAndReturn({ where: { projectId, id }, data });
  return row && toProfile(row);
}

/** Returns false when the project has no such profile. */
export async function deleteProfile(db: Db, projectId: string, id: string): Promise<boolean> {
  if (!isUuid(id)) return false;
  const { count } = await db.sqlProfile.deleteMany({ where: { projectId, id } });
  return count === 1;
}

function toProfile(row: Row): SqlProfile {
  return { ...row, policy: parseStored(sqlPolicySchema, row.policy, `SQL profile ${row.id}`) };
}
