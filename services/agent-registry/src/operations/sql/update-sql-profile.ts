import type { SqlPolicy } from '@tollgate/api/state';
import type { Context } from '../../context.js';
import type { SqlProfile } from '../../domain/sql-profile.js';
import { changeProfile } from '../../store/sql-profiles.js';
import { requireFound } from '../not-found.js';

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
