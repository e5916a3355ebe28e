import type { Context } from '../../context.js';
import type { SqlProfile } from '../../domain/sql-profile.js';
import { isUuid } from '../../domain/uuid.js';
import { findProfile } from '../../store/sql-profiles.js';
import { notFound } from '../not-found.js';

/** @throws AppError NOT_FOUND */
export async function getSqlProfile(ctx: Context, projectId: string, id: string): Promise<SqlProfile> {
  const profile = isUuid(id) ? await findProfile(ctx.prisma, projectId, id) : undefined;
  if (!profile) throw notFound('SQL profile');
  return profile;
}
