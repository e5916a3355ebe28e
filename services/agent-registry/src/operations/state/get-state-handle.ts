import type { Context } from '../../context.js';
import type { Scope } from '../../domain/scope.js';
import type { StateHandle } from '../../domain/state-handle.js';
import { isUuid } from '../../domain/uuid.js';
import { findStateHandle } from '../../store/state-handles.js';
import { notFound } from '../not-found.js';

/** @throws AppError NOT_FOUND, also when it has expired. */
export async function getStateHandle(ctx: Context, scope: Scope, id: string): Promise<StateHandle> {
  const handle = isUuid(id) ? await findStateHandle(ctx.prisma, scope, id, ctx.clock.now()) : undefined;
  if (!handle) throw notFound('state handle');
  return handle;
}
