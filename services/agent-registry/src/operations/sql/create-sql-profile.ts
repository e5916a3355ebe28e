import { randomUUID } from 'node:crypto';
import type { SqlPolicy } from '@tollgate/api/state';
import type { Context } from '../../context.js';
import type { SqlProfile } from '../../domain/sql-profile.js';
import { insertProfile } from '../../store/sql-profiles.js';

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
