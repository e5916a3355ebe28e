import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError, getDefinition, isErrorCode } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import type { Context } from '../../context.js';
import { AGENT_NODE_ID, findAgentNode } from '../../domain/plan/agent-run-plan.js';
import type { Rehearsal } from '../../domain/plan/plan.js';
import { isTerminal } from '../../domain/run/status.js';
import { type MockReport, reportMocks } from '../../domain/tools/mocks.js';
import { type AgentRunTotals, readLastAnswer, readTotals } from '../../store/runs/agent-run-results.js';
import type { RunRecord } from '../../store/runs/read-runs.js';
import { forgetRunKey } from '../../store/runs/run-keys.js';
import { loadMockedCalls } from '../../store/steps/tool-results.js';
import { requireRun } from '../runs/read-runs.js';
import { streamRunEvents } from '../runs/stream-run-events.js';

export interface AgentRunResult {
  runId: string;
  status: string;
  /** JSON array of output messages. */
  output: string;
  totals: AgentRunTotals;
  error: { code: string; message: string } | undefined;
  /** Whether the result is only an error: nothing was produced, or a dry run called a tool without a mock. */
  isRefused: boolean;
  mocks: MockReport | undefined;
}

/** Waits for the end of an agent's run. Returns early when the caller's deadline or the end of this process is near. */
export async function awaitAgentRun(
  ctx: Pick<Context, 'closing' | 'plans' | 'pool' | 'wakeUps'>,
  principal: Principal,
  runId: string,
  call: Call,
): Promise<AgentRunResult> {
  const run = await untilEnd(ctx, principal, runId, call);
  const plan = await ctx.plans.load(ctx.pool, run.projectId, run.planHash);
  if (!plan || !findAgentNode(plan)) throw new AppError('NOT_FOUND', 'the run is not the run of an agent');
  const output = await readLastAnswer(ctx.pool, runId, AGENT_NODE_ID);
  const error = toError(run);
  const isRefused = error !== undefined && isOnlyError(error.code, output);
  if (isRefused) await releaseKey(ctx, runId, error.code);
  return {
    runId,
    status: run.status,
    output: output ?? '[]',
    totals: await readTotals(ctx.pool, runId, AGENT_NODE_ID),
    error,
    isRefused,
    mocks: plan.rehearsal && (await readMockReport(ctx, runId, plan.rehearsal)),
  };
}

/** A reached limit is a result, even without output. */
function isOnlyError(code: string, output: string | undefined): boolean {
  if (code === 'TOOL_NOT_MOCKED') return true;
  return output === undefined && code !== 'AGENT_LIMIT_REACHED';
}

async function untilEnd(
  ctx: Pick<Context, 'closing' | 'pool' | 'wakeUps'>,
  principal: Principal,
  runId: string,
  call: Call,
): Promise<RunRecord> {
  const run = await requireRun(ctx, principal, runId);
  if (isTerminal(run.status)) return run;
  const rest = { runId, afterSeq: run.lastSeq, wait: true, limit: 0 };
  for await (const _page of streamRunEvents(ctx, principal, rest, call)) {
    // Waits only for the end.
  }
  return requireRun(ctx, principal, runId);
}

function toError({ errorCode, errorMessage }: RunRecord): { code: string; message: string } | undefined {
  return errorCode === null ? undefined : { code: errorCode, message: errorMessage ?? '' };
}

/** Frees the idempotency key after a transient refusal, so that the next attempt is a new run. */
async function releaseKey(ctx: Pick<Context, 'pool'>, runId: string, code: string): Promise<void> {
  const { status } = getDefinition(isErrorCode(code) ? code : 'INTERNAL_ERROR');
  if (status === 402 || status === 429 || status >= 500) await forgetRunKey(ctx.pool, runId);
}

async function readMockReport(
  ctx: Pick<Context, 'pool'>,
  runId: string,
  { mocks, replay_of: source }: Rehearsal,
): Promise<MockReport> {
  const calls = await loadMockedCalls(ctx.pool, runId);
  if (source === undefined) return reportMocks(mocks, calls);
  // In a replay, the recorded results are the mocks, each for its own call.
  const { served, unmocked } = reportMocks({}, calls);
  const recorded = await loadMockedCalls(ctx.pool, source);
  const unconsumed: Record<string, number> = {};
  for (const [tool, count] of Object.entries(countNames(recorded.map((recordedCall) => recordedCall.tool)))) {
    const left = count - (served[tool] ?? 0) - (unmocked[tool] ?? 0);
    if (left > 0) unconsumed[tool] = left;
  }
  return { served, unconsumed, unmocked: {} };
}

function countNames(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
