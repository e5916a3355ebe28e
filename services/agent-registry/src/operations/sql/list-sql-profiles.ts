import type { Context } from '../../context.js';
import type { SqlProfile } from '../../domain/sql-profile.js';
import { listProfiles } from '../../store/sql-profiles.js';
import type { Page } from '../page.js';

/** Oldest first. */
export async function listSqlProfiles(
  ctx: Context,
  projectId: string,
  { limit, offset }: Page,
): Promise<{ profiles: SqlProfile[]; hasMore: boolean }> {
  const rows = await listProfiles(ctx.prisma, projectId, { take: limit + 1, skip: offset });
  return { profiles: rows.slice(0, limit), hasMore: rows.length > limit };
}
