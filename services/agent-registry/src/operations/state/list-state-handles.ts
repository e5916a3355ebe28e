import type { Context } from '../../context.js';
import type { Scope } from '../../domain/scope.js';
import type { StateHandle } from '../../domain/state-handle.js';
import { listStateHandles as readHandles } from '../../store/state-handles.js';
import type { Page } from '../page.js';

/** Newest first, without expired ones. */
export async function listStateHandles(
  ctx: Context,
  scope: Scope,
  { limit, offset }: Page,
): Promise<{ handles: StateHandle[]; hasMore: boolean }> {
  const rows = await readHandles(ctx.prisma, scope, ctx.clock.now(), { take: limit + 1, skip: offset });
  return { handles: rows.slice(0, limit), hasMore: rows.length > limit };
}
