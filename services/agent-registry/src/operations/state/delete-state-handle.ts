import type { Context } from '../../context.js';
import type { Scope } from '../../domain/scope.js';
import { isUuid } from '../../domain/uuid.js';
import { deleteStateHandle as deleteRow } from '../../store/state-handles.js';
import { notFound } from '../not-found.js';

/** @throws AppError NOT_FOUND, also when it has expired. */
export async function deleteStateHandle(ctx: Context, scope: Scope, id: string): Promise<void> {
  if (!isUuid(id) || !(await deleteRow(ctx.prisma, scope, id, ctx.clock.now()))) throw notFound('state handle');
}
