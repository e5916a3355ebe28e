import { AppError } from '@tollgate/errors';
import type { Context } from '../../context.js';
import type { ToolHook } from '../../domain/tool-hooks/tool-hook.js';
import { findToolHook } from '../../store/tool-hooks.js';

/** @throws AppError NOT_FOUND, including for a tool hook of another project */
export async function requireToolHook(ctx: Pick<Context, 'pool'>, projectId: string, id: string): Promise<ToolHook> {
  const hook = await findToolHook(ctx.pool, projectId, id);
  if (!hook) throw toolHookNotFound();
  return hook;
}

export function toolHookNotFound(): AppError {
  return new AppError('NOT_FOUND', 'tool hook not found');
}
