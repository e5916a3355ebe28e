import { randomUUID } from 'node:crypto';
import { AppError } from '@tollgate/errors';
import { withTransaction } from '@tollgate/postgres';
import type { Context } from '../../context.js';
import {
  defaultFailBehavior,
  TIMEOUT_MS_DEFAULT,
  TOOL_HOOKS_PER_PROJECT_MAX,
  type ToolHook,
  type ToolHookType,
} from '../../domain/tool-hooks/tool-hook.js';
import { insertToolHook } from '../../store/tool-hooks.js';
import { newSigningSecret } from '../signing-secrets.js';
import { checkToolHook } from './check-tool-hook.js';

type CreateToolHookContext = Pick<Context, 'clock' | 'endpointRules' | 'keyring' | 'pool'>;

export interface CreateToolHookCommand {
  hookType: string;
  endpointUrl: string;
  enabled?: boolean | undefined;
  timeoutMs?: number | undefined;
  /** Empty = the default of the type. */
  failBehavior: string;
  toolsAllowlist: readonly string[];
  allowMutation?: boolean | undefined;
}

/** Returns the secret, which no later response contains. */
export async function createToolHook(
  ctx: CreateToolHookContext,
  projectId: string,
  command: CreateToolHookCommand,
): Promise<{ hook: ToolHook; signingSecret: string }> {
  const { hookType, endpointUrl, toolsAllowlist, failBehavior, enabled = true } = command;
  const { timeoutMs = TIMEOUT_MS_DEFAULT, allowMutation = false } = command;
  const settings = checkToolHook(
    {
      hookType,
      endpointUrl,
      toolsAllowlist,
      timeoutMs,
      allowMutation,
      failBehavior: failBehavior || (defaultFailBehavior[hookType as ToolHookType] ?? ''),
    },
    ctx.endpointRules,
  );
  const id = randomUUID();
  const now = ctx.clock.now();
  const { secret, sealed } = newSigningSecret(ctx.keyring, 'thsec_', id);
  const hook: ToolHook = { ...settings, id, projectId, enabled, secret: sealed, createdAt: now, updatedAt: now };
  const isInserted = await withTransaction(ctx.pool, (tx) => insertToolHook(tx, hook, TOOL_HOOKS_PER_PROJECT_MAX));
  if (!isInserted)
    throw new AppError('INVALID_INPUT', `a project can have at most ${TOOL_HOOKS_PER_PROJECT_MAX} tool hooks`);
  return { hook, signingSecret: secret };
}
