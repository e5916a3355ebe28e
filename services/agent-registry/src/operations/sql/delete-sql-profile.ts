import type { Context } from '../../context.js';
import { isUuid } from '../../domain/uuid.js';
import { deleteProfile } from '../../store/sql-profiles.js';
import { notFound } from '../not-found.js';

/** @throws AppError NOT_FOUND */
export async function deleteSqlProfile(ctx: Context, projectId: string, id: string): Promise<void> {
  if (!isUuid(id) || !(await deleteProfile(ctx.prisma, projectId, id))) throw notFound('SQL profile');
}
