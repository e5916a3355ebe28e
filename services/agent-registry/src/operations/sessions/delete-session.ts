import type { Context } from '../../context.js';
import type { Scope } from '../../domain/scope.js';
import { isUuid } from '../../domain/uuid.js';
import { deleteSession as deleteRow } from '../../store/sessions.js';
import { notFound } from '../not-found.js';

/** With everything in it. @throws AppError NOT_FOUND */
export async function deleteSession(ctx: Context, scope: Scope, id: string): Promise<void> {
  if (!isUuid(id) || !(await deleteRow(ctx.pool, scope, id))) throw notFound('session');
}
