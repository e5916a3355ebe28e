import { randomUUID } from 'node:crypto';
import { AppError } from '@tollgate/errors';
import { withTransaction } from '@tollgate/postgres';
import { checkUrl } from '@tollgate/safe-fetch';
import type { Context } from '../../context.js';
import type { EndpointRules } from '../../domain/endpoint-rules.js';
import {
  defaultFailBehavior,
  type FailBehavior,
  TIMEOUT_MS_DEFAULT,
  TOOL_HOOKS_PER_PROJECT_MAX,
  type ToolHook,
  type ToolHookSettings,
  type ToolHookType,
} from '../../domain/tool-hooks/tool-hook.js';
import { type ProposedToolHook, toolHookFault } from '../../domain/tool-hooks/tool-hook-rules.js';
import { findToolHook, insertToolHook, updateToolHook as update } from '../../store/tool-hooks.js';
import { newSigningSecret } from '../signing-secrets.js';

type WriteContext = Pick<Context, 'clock' | 'endpointRules' | 'keyring' | 'pool'>;

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
  ctx: WriteContext,
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

/** @throws AppError NOT_FOUND, including for a tool hook of another project */
export async function requireToolHook(ctx: Pick<Context, 'pool'>, projectId: string, id: string): Promise<ToolHook> {
  const hook = await findToolHook(ctx.pool, projectId, id);
  if (!hook) throw toolHookNotFound();
  return hook;
}

export function toolHookNotFound(): AppError {
  return new AppError('NOT_FOUND', 'tool hook not found');
}

interface UpdateToolHookCommand {
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
  ctx: WriteContext,
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

type Checked = Omit<ToolHookSettings, 'enabled'> & { hookType: ToolHookType };

/** @throws AppError VALIDATION_ERROR naming the first invalid field */
function checkToolHook(proposed: ProposedToolHook, rules: EndpointRules): Checked {
  const fault = toolHookFault(proposed, rules);
  if (fault) throw invalid(fault.field, fault.message);
  // Checks the text only; the addresses of a host name are checked at every call.
  const refusal = checkUrl(proposed.endpointUrl, rules);
  if (refusal) throw invalid('endpoint_url', `endpoint_url is not allowed: ${refusal.message}`);
  return {
    ...proposed,
    hookType: proposed.hookType as ToolHookType,
    failBehavior: proposed.failBehavior as FailBehavior,
    toolsAllowlist: [...new Set(proposed.toolsAllowlist)],
  };
}

function invalid(field: string, message: string): AppError {
  return new AppError('VALIDATION_ERROR', message, { fields: [{ field, message }] });
}
