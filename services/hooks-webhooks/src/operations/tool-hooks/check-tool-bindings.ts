import { AppError } from '@tollgate/errors';
import { isUuid } from '@tollgate/runtime/uuid';
import type { Context } from '../../context.js';
import { bindingFault } from '../../domain/tool-hooks/tool-hook.js';
import { selectToolHooksById } from '../../store/tool-hooks.js';

/** The maximum number of tools of an agent. */
const BINDINGS_MAX = 128;

/** Returns for each binding why its hook cannot run the tool; empty text when it can. */
export async function checkToolBindings(
  ctx: Pick<Context, 'pool'>,
  projectId: string,
  bindings: readonly { hookId: string; toolName: string }[],
): Promise<string[]> {
  if (bindings.length > BINDINGS_MAX)
    throw new AppError('INVALID_INPUT', `at most ${BINDINGS_MAX} bindings are allowed in one call`);
  const ids = [...new Set(bindings.map(({ hookId }) => hookId.toLowerCase()).filter(isUuid))];
  const hooks = await selectToolHooksById(ctx.pool, projectId, ids);
  const byId = new Map(hooks.map((hook) => [hook.id, hook]));
  return bindings.map(({ hookId, toolName }) => bindingFault(byId.get(hookId.toLowerCase()), toolName) ?? '');
}
