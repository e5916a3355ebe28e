import type { SqlPolicy } from '@tollgate/api';
import type { Context } from '../../context.js';
import type { SqlProfile } from '../../domain/sql-profile.js';
import { isUuid } from '../../domain/uuid.js';
import { changeProfile } from '../../store/sql-profiles.js';
import { notFound } from '../not-found.js';

/** What is undefined stays. @throws AppError NOT_FOUND */
export async function updateSqlProfile(
  ctx: Context,
  projectId: string,
  id: string,
  change: { name: string | undefined; policy: SqlPolicy | undefined },
): Promise<SqlProfile> {
  const updatedAt = ctx.clock.now();
  const profile = isUuid(id) ? await changeProfile(ctx.prisma, projectId, id, { ...change, updatedAt }) : undefined;
  if (!profile) throw notFound('SQL profile');
  return profile;
}
