import type { Context } from '../../context.js';
import type { ToolHook } from '../../domain/tool-hooks/tool-hook.js';
import { updateToolHook as update } from '../../store/tool-hooks.js';
import { newSigningSecret } from '../signing-secrets.js';
import { checkToolHook } from './check-tool-hook.js';
import { requireToolHook, toolHookNotFound } from './require-tool-hook.js';

type UpdateToolHookContext = Pick<Context, 'clock' | 'endpointRules' | 'keyring' | 'pool'>;

export interface UpdateToolHookCommand {
  endpointUrl?: string | undefined;
  enabled?: boolean | undefined;
  timeoutMs?: number | undefined;
  failBehavior?: string | undefined;
  toolsAllowlist?: readonly string[] | undefined;
  allowMutation?: boolean | undefined;
  rotateSecret: boolean;
}

/** Changes only the given settings. A rotated secret replaces the old one at once. */
export async function updateToolHook(
  ctx: UpdateToolHookContext,
  projectId: string,
  id: string,
  command: UpdateToolHookCommand,
): Promise<{ hook: ToolHook; signingSecret: string | undefined }> {
  const before = await requireToolHook(ctx, projectId, id);
  const { hookType: _, ...settings } = checkToolHook(
    {
      hookType: before.hookType,
      endpointUrl: command.endpointUrl ?? before.endpointUrl,
      timeoutMs: command.timeoutMs ?? before.timeoutMs,
      failBehavior: command.failBehavior ?? before.failBehavior,
      toolsAllowlist: command.toolsAllowlist ?? before.toolsAllowlist,
      allowMutation: command.allowMutation ?? before.allowMutation,
    },
    ctx.endpointRules,
  );
  const rotated = command.rotateSecret ? newSigningSecret(ctx.keyring, 'thsec_', before.id) : undefined;
  const hook = await update(ctx.pool, projectId, before.id, {
    ...settings,
    enabled: command.enabled ?? before.enabled,
    secret: rotated?.sealed,
    updatedAt: ctx.clock.now(),
  });
  if (!hook) throw toolHookNotFound();
  return { hook, signingSecret: rotated?.secret };
}
