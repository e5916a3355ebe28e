import { randomUUID } from 'node:crypto';
import type { SqlPolicy } from '@tollgate/api/state';
import type { Context } from '../../context.js';
import type { SqlProfile } from '../../domain/sql-profile.js';
import { changeProfile, insertProfile } from '../../store/sql-profiles.js';
import { requireFound } from '../not-found.js';

export async function createSqlProfile(
  ctx: Pick<Context, 'clock' | 'prisma'>,
  projectId: string,
  values: { name: string; policy: SqlPolicy },
): Promise<SqlProfile> {
  const now = ctx.clock.now();
  const profile = { id: randomUUID(), projectId, ...values, createdAt: now, updatedAt: now };
  await insertProfile(ctx.prisma, profile);
  return profile;
}

/** Keeps fields that are undefined. @throws AppError NOT_FOUND */
export async function updateSqlProfile(
  ctx: Pick<Context, 'clock' | 'prisma'>,
  projectId: string,
  id: string,
  change: { name: string | undefined; policy: SqlPolicy | undefined },
): Promise<SqlProfile> {
  const updatedAt = ctx.clock.now();
  return requireFound(await changeProfile(ctx.prisma, projectId, id, { ...change, updatedAt }), 'SQL profile');
}
