import { AppError } from '@tollgate/errors';
import type { Context } from '../../context.js';
import type { ToolHook } from '../../domain/tool-hooks/tool-hook.js';
import { isUuid } from '../../domain/uuid.js';
import { findToolHook } from '../../store/tool-hooks.js';

/** @throws AppError NOT_FOUND, the same for what never existed and what is another project's. */
export async function requireToolHook(ctx: Pick<Context, 'prisma'>, projectId: string, id: string): Promise<ToolHook> {
  const hook = isUuid(id) ? await findToolHook(ctx.prisma, projectId, id) : undefined;
  if (!hook) throw toolHookNotFound();
  return hook;
}

export function toolHookNotFound(): AppError {
  return new AppError('NOT_FOUND', 'tool hook not found');
}
