import { AppError } from '@tollgate/errors';
import { withTransaction } from '@tollgate/postgres';
import type { Context } from '../../context.js';
import type { HookVerdict } from '../../domain/tool-hooks/hook-answer.js';
import { applyVerdict, type Chain, endChain, nextHook, type PhaseAnswer } from '../../domain/tool-hooks/hook-chain.js';
import { questionKey, type ToolCall } from '../../domain/tool-hooks/tool-call.js';
import { bindingFault, type ToolHook } from '../../domain/tool-hooks/tool-hook.js';
import { insertToolHookEvent } from '../../store/tool-hook-events.js';
import { findAnswer, hookVerdictSchema, keepAnswer, phaseAnswerSchema } from '../../store/tool-hook-journal.js';
import { findToolHook, selectActiveHooks } from '../../store/tool-hooks.js';
import { askHook } from './ask-hook.js';

type HookContext = Pick<Context, 'clock' | 'keyring' | 'hooks' | 'logger' | 'pool'>;

/**
 * Calls the hooks of one phase in sequence, each with the call as earlier hooks changed it. Records every decision
 * before it takes effect, so that the same phase of the same call with the same input is decided once, despite crashes
 * and changes by the owner. Does not record that a hook was unreachable.
 *
 * @param boundHookId the hook that the tool is bound to: only it is called, and only it may run the tool
 */
export async function runToolHooks(
  ctx: HookContext,
  call: ToolCall,
  boundHookId: string | undefined,
  signal: AbortSignal,
): Promise<PhaseAnswer> {
  const question = questionKey(`phase ${boundHookId ?? ''}`, call);
  const [recorded, hooks] = await Promise.all([
    findAnswer(ctx.pool, question, phaseAnswerSchema),
    boundHookId === undefined
      ? selectActiveHooks(ctx.pool, call.projectId, call.hookType)
      : findBoundHook(ctx, call.projectId, boundHookId),
  ]);
  if (recorded) return recorded;
  const fault = boundHookId === undefined ? undefined : bindingFault(hooks[0], call.toolName);
  if (fault !== undefined) return { kind: 'unavailable', error: fault };
  const answer = await askInTurn(ctx, { call, askedIds: new Set() }, hooks, signal);
  if (answer.kind === 'none' || (answer.kind === 'failed' && answer.isRetryable)) return answer;
  return await keepAnswer(ctx.pool, question, answer, phaseAnswerSchema);
}

async function findBoundHook({ pool }: HookContext, projectId: string, id: string): Promise<ToolHook[]> {
  const hook = await findToolHook(pool, projectId, id);
  return hook ? [hook] : [];
}

async function askInTurn(
  ctx: HookContext,
  from: Chain,
  hooks: readonly ToolHook[],
  signal: AbortSignal,
): Promise<PhaseAnswer> {
  let chain = from;
  for (let hook = nextHook(chain, hooks); hook; hook = nextHook(chain, hooks)) {
    const verdict = await decide(ctx, hook, chain.call, signal);
    const next = applyVerdict(chain, hook, verdict);
    if ('kind' in next) return next;
    chain = next;
  }
  return endChain(chain);
}

/** Returns the recorded decision about this call, or calls the hook and records its answer. */
async function decide(ctx: HookContext, hook: ToolHook, call: ToolCall, signal: AbortSignal): Promise<HookVerdict> {
  const question = questionKey(hook.id, call);
  const recorded = await findAnswer(ctx.pool, question, hookVerdictSchema);
  if (recorded) return recorded;
  const { verdict, event } = await askHook(ctx, hook, call, signal);
  if (verdict === undefined) {
    await insertToolHookEvent(ctx.pool, event);
    throw new AppError('RELAY_TIMEOUT', 'the request ended before the tool hook answered');
  }
  return await withTransaction(ctx.pool, async (tx) => {
    await insertToolHookEvent(tx, event);
    // Continuing without a hook is a decision; stopping because it was unreachable may be revised by a retry.
    if (verdict.kind === 'failed' && verdict.isRetryable && hook.failBehavior === 'fail_closed') return verdict;
    return await keepAnswer(tx, question, verdict, hookVerdictSchema);
  });
}
