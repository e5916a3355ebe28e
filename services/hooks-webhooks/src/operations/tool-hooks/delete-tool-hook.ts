import type { Context } from '../../context.js';
import { isUuid } from '../../domain/uuid.js';
import { markToolHookDeleted } from '../../store/tool-hooks.js';
import { toolHookNotFound } from './require-tool-hook.js';

export async function deleteToolHook(ctx: Context, projectId: string, id: string): Promise<void> {
  const isDeleted = isUuid(id) && (await markToolHookDeleted(ctx.prisma, projectId, id, ctx.clock.now()));
  if (!isDeleted) throw toolHookNotFound();
}
