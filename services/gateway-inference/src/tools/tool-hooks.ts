import { create } from '@bufbuild/protobuf';
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

/** One phase of a call, as it stands. */
export interface HookQuestion {
  hookType: 'pre_tool_use' | 'tool_execute' | 'post_tool_use';
  requestId: string;
  /** The turn or step, by an id that no client chooses. */
  executionId: string;
  toolCallId: string;
  /** With underscores. */
  toolName: string;
  argumentsJson: string;
  /** Behind the tool: JSON of its result. */
  toolResultJson?: string;
}

/** How a hook ends a call. */
type HookEnd =
  /** The model gets the reason as the call's result. */
  | { kind: 'block'; reason: string }
  /** A hook ran the tool. */
  | { kind: 'result'; resultJson: string };

/** What the hooks of a phase made of the call. */
export type HookAnswer =
  | HookEnd
  /** No hook was asked, or all let it pass; with what they changed. */
  | { kind: 'go'; toolName: string; argumentsJson: string; resultJson: string };

/** What became of a call of a tool that is bound to a hook. */
export type BoundHookAnswer =
  | HookEnd
  /** The hook did not run the tool, so nothing may. */
  | { kind: 'unhandled'; reason: string };

/** Bound of all hooks of one phase together; each has its own, decided by its owner. */
const PHASE_TIMEOUT_MS = 120_000;
const LIST_TIMEOUT_MS = 5_000;
const HOOKS_PER_PAGE = 100;
/** Nobody has as many. */
const HOOK_PAGES_MAX = 20;

/**
 * Asks the hooks of one phase.
 *
 * @throws AppError HOOK_FAILED when a hook that must not fail has failed, or nobody knows whether there is one.
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
      };
    default:
      return endOf(answer);
  }
}

/**
 * Asks the hook that a tool is bound to.
 *
 * @throws AppError HOOK_FAILED when the hook must not fail and has failed, or could not be asked
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
      return { kind: 'unhandled', reason: 'the tool hook did not return a result' };
    default:
      return endOf(answer);
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
    throw new AppError('HOOK_FAILED', 'the tool hooks could not be asked', { retryable: true, cause: error });
  }
}

function endOf({ decision, error, resultJson, retryable }: RunToolHooksResponse): HookEnd {
  if (decision === HookDecision.BLOCK) return { kind: 'block', reason: error || 'blocked by a tool hook' };
  if (decision === HookDecision.RESULT) return { kind: 'result', resultJson };
  throw new AppError('HOOK_FAILED', `a tool hook failed: ${error || 'no decision'}`, { retryable });
}

/**
 * Which of these tools, none of the service's own, are executed by a hook. Without an answer none is: their calls go to
 * the client, as they would in a project without hooks.
 *
 * @throws AppError when the caller is gone
 */
export async function executedByHooks(
  hooks: Client<typeof ToolHookService>,
  toolNames: readonly string[],
  call: Call,
): Promise<ReadonlySet<string>> {
  const { accountId = '', projectId = '' } = call.principal ?? {};
  // Hooks are the owner's to see; what its keys and customers may call depends on them.
  const principal = create(PrincipalSchema, { kind: PrincipalKind.OWNER, accountId, projectId });
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
