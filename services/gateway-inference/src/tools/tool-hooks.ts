import { createMessage } from '@tollgate/contracts/codec';
import { PrincipalKind, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import {
  HookDecision,
  type RunToolHooksResponse,
  type ToolHook,
  type ToolHookService,
} from '@tollgate/contracts/hooks/v1/tool_hooks_pb.js';
import { AppError, asAppError } from '@tollgate/errors';
import type { Call, Client } from '@tollgate/rpc';
import { underscoredToolName } from '@tollgate/tools';

/** One phase of a tool call, with the current arguments. */
export interface HookQuestion {
  hookType: 'pre_tool_use' | 'tool_execute' | 'post_tool_use';
  requestId: string;
  /** Id of the turn or step, never chosen by a client. */
  executionId: string;
  toolCallId: string;
  /** Id of the call as the model made it: the same for every try. */
  callId: string;
  /** With underscores. */
  toolName: string;
  argumentsJson: string;
  /** After the tool: its result as JSON. */
  toolResultJson?: string;
}

/** How a hook ended a call. */
type HookEnd =
  /** The model gets the reason as the call's result. */
  | { kind: 'block'; reason: string }
  /** A hook ran the tool. */
  | { kind: 'result'; resultJson: string };

/** The outcome of the hooks of one phase. */
export type HookAnswer =
  | HookEnd
  /** No hook was asked, or all allowed the call; with their changes. */
  | {
      kind: 'go';
      toolName: string;
      argumentsJson: string;
      resultJson: string;
      /** Why a fail-open hook that executes the tool did not. */
      failure?: string | undefined;
    };

/** The outcome of a call of a tool that is bound to a hook. */
export type BoundHookAnswer =
  | HookEnd
  /** The hook failed, and its owner lets calls continue without it. */
  | { kind: 'failed'; reason: string }
  /** The hook did not run the tool, and nothing else may. */
  | { kind: 'unhandled'; reason: string };

/** hooks-webhooks did not answer, so that no hook has decided: a run asks again later, a turn fails. */
export class HooksUnavailable extends AppError {
  constructor(cause: unknown) {
    super('SERVICE_UNAVAILABLE', 'the tool hooks could not be asked', { retryable: true, cause });
  }
}

/** Timeout of all hooks of one phase together. Each hook has its own, set by its owner. */
const PHASE_TIMEOUT_MS = 120_000;
const LIST_TIMEOUT_MS = 5_000;
const HOOKS_PER_PAGE = 100;
/** No project has this many pages of hooks. */
const HOOK_PAGES_MAX = 20;

/**
 * Asks the hooks of one phase.
 *
 * @throws AppError HOOK_FAILED if a fail-closed hook failed
 * @throws HooksUnavailable
 */
export async function askToolHooks(
  hooks: Client<typeof ToolHookService>,
  question: HookQuestion,
  call: Call,
): Promise<HookAnswer> {
  const answer = await runHooks(hooks, question, call);
  const { toolName, argumentsJson, toolResultJson = '' } = question;
  switch (answer.decision) {
    case HookDecision.NONE:
      return { kind: 'go', toolName, argumentsJson, resultJson: toolResultJson };
    case HookDecision.ALLOW:
      return {
        kind: 'go',
        toolName: underscoredToolName(answer.toolName || toolName),
        argumentsJson: answer.argumentsJson || argumentsJson,
        resultJson: answer.resultJson || toolResultJson,
        failure: answer.error || undefined,
      };
    default:
      return toHookEnd(answer);
  }
}

/**
 * Asks the hook that a tool is bound to.
 *
 * @throws AppError HOOK_FAILED if the hook is fail-closed and failed
 * @throws HooksUnavailable
 */
export async function askBoundHook(
  hooks: Client<typeof ToolHookService>,
  question: HookQuestion & { hookId: string },
  call: Call,
): Promise<BoundHookAnswer> {
  const answer = await runHooks(hooks, question, call);
  switch (answer.decision) {
    case HookDecision.NONE:
    case HookDecision.UNAVAILABLE:
      return { kind: 'unhandled', reason: answer.error || 'the tool hook is not available' };
    case HookDecision.ALLOW:
      if (answer.error !== '') return { kind: 'failed', reason: answer.error };
      return { kind: 'unhandled', reason: 'the tool hook did not return a result' };
    default:
      return toHookEnd(answer);
  }
}

async function runHooks(
  hooks: Client<typeof ToolHookService>,
  question: HookQuestion,
  call: Call,
): Promise<RunToolHooksResponse> {
  try {
    return await hooks.runToolHooks(question, call.with({ timeoutMs: PHASE_TIMEOUT_MS }));
  } catch (error) {
    if (call.isAborted) throw error;
    throw new HooksUnavailable(error);
  }
}

function toHookEnd({ decision, error, resultJson, retryable }: RunToolHooksResponse): HookEnd {
  if (decision === HookDecision.BLOCK) return { kind: 'block', reason: error || 'blocked by a tool hook' };
  if (decision === HookDecision.RESULT) return { kind: 'result', resultJson };
  throw new AppError('HOOK_FAILED', `a tool hook failed: ${error || 'no decision'}`, { retryable });
}

/**
 * Returns which of these tools, none of them the service's own, a hook executes. If hooks-webhooks is unavailable, none:
 * their calls are returned to the client, as in a project without hooks.
 *
 * @throws AppError when the caller has left
 */
export async function executedByHooks(
  hooks: Client<typeof ToolHookService>,
  toolNames: readonly string[],
  call: Call,
): Promise<ReadonlySet<string>> {
  const { accountId = '', projectId = '' } = call.principal ?? {};
  // Only the owner may list hooks, but the calls of keys and customers also depend on them.
  const principal = createMessage(PrincipalSchema, { kind: PrincipalKind.OWNER, accountId, projectId });
  let known: ToolHook[];
  try {
    known = await listHooks(hooks, call.with({ principal, timeoutMs: LIST_TIMEOUT_MS }));
  } catch (error) {
    if (call.isAborted) throw asAppError(error);
    return new Set();
  }
  const executed = new Set<string>();
  for (const { hookType, enabled, toolsAllowlist } of known) {
    if (hookType !== 'tool_execute' || !enabled) continue;
    for (const name of toolsAllowlist) executed.add(underscoredToolName(name));
  }
  return new Set(toolNames.filter((name) => executed.has(underscoredToolName(name))));
}

async function listHooks(hooks: Client<typeof ToolHookService>, call: Call): Promise<ToolHook[]> {
  const known: ToolHook[] = [];
  for (let page = 0; page < HOOK_PAGES_MAX; page++) {
    const answer = await hooks.listToolHooks({ limit: HOOKS_PER_PAGE, offset: page * HOOKS_PER_PAGE }, call);
    known.push(...answer.hooks);
    if (!answer.hasMore) break;
  }
  return known;
}
