import { timestampDate } from '@bufbuild/protobuf/wkt';
import { type Principal, PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import type { ListRunStepsRequest, ListRunsRequest } from '@tollgate/contracts/workflow/v1/workflow_pb.js';
import { AppError, isErrorCode } from '@tollgate/errors';
import { isLowerCaseUuid, isUuid } from '@tollgate/runtime/uuid';
import type { Task } from '@tollgate/tools';
import type { Context } from '../../context.js';
import type { Plan } from '../../domain/plan/plan.js';
import { agentAround, requireNode } from '../../domain/plan/plan-tree.js';
import { isInScope, runScope } from '../../domain/run/run-scope.js';
import { isTerminal, type RunStatus, runStatuses } from '../../domain/run/status.js';
import { type CostSummary, summarizeCost } from '../../domain/step/cost.js';
import { visibleFailure } from '../../domain/step/refusal.js';
import { resultsInOrder, type ToolResult } from '../../domain/tools/tool-calls.js';
import { readCalls } from '../../execution/model-steps/journal-rows.js';
import { loadToolState } from '../../store/artifacts.js';
import {
  findRun,
  type RunRecord,
  listRuns as readPage,
  readSnapshot,
  type Snapshot,
} from '../../store/runs/read-runs.js';
import { readSteps, type StepRecord } from '../../store/steps/read-steps.js';

/** Of a page. */
const RUNS_MAX = 200;
const STEPS_MAX = 500;

/** Returns the run if the caller may see it. @throws AppError NOT_FOUND */
export async function requireRun(ctx: Pick<Context, 'pool'>, principal: Principal, runId: string): Promise<RunRecord> {
  const scope = runScope(principal);
  const run = isLowerCaseUuid(runId) ? await findRun(ctx.pool, runId) : undefined;
  if (!run || !isInScope(run, scope)) throw new AppError('NOT_FOUND', 'run not found');
  return run;
}

export interface RunView extends Snapshot {
  cost: CostSummary;
  /** The nodes that must end before a node, by its id. */
  after: ReadonlyMap<string, readonly string[]>;
}

/** Returns the run as the caller may see it: only the owner sees lost attempts. */
export async function getRun(
  ctx: Pick<Context, 'plans' | 'pool'>,
  principal: Principal,
  runId: string,
): Promise<RunView> {
  const { projectId } = await requireRun(ctx, principal, runId);
  const snapshot = await readSnapshot(ctx.pool, runId);
  const isOver = isTerminal(snapshot.run.status);
  const cost = summarizeCost(snapshot.calls, isOver, snapshot.toolCosts);
  if (principal.kind === PrincipalKind.CUSTOMER) cost.lostAttempts = [];
  const plan = await ctx.plans.load(ctx.pool, projectId, snapshot.run.planHash);
  return { ...snapshot, cost, after: plan ? findEdges(plan, snapshot) : new Map() };
}

/** Sub-nodes outside a graph, such as the items of a fan-out, wait for nothing but their parent. */
function findEdges(plan: Plan, { nodes }: Snapshot): ReadonlyMap<string, readonly string[]> {
  return new Map(nodes.map(({ nodeId }) => [nodeId, requireNode(plan, nodeId).after]));
}

export async function listRuns(
  ctx: Pick<Context, 'pool'>,
  principal: Principal,
  req: ListRunsRequest,
): Promise<{ runs: RunRecord[]; hasMore: boolean }> {
  const { status, customerId, agent, limit, offset, startedFrom, startedBefore } = req;
  if (status !== '' && !runStatuses.includes(status as RunStatus)) {
    throw new AppError('VALIDATION_ERROR', `status must be one of ${runStatuses.join(', ')}`);
  }
  if (limit < 1 || limit > RUNS_MAX || offset < 0)
    throw new AppError('VALIDATION_ERROR', 'limit or offset out of range');
  if (customerId !== '' && !isUuid(customerId)) throw new AppError('VALIDATION_ERROR', 'customer_id must be a UUID');
  const page = {
    status: status === '' ? undefined : (status as RunStatus),
    customerId: customerId === '' ? undefined : customerId,
    agent: agent === '' ? undefined : agent,
    startedFrom: startedFrom && timestampDate(startedFrom),
    startedBefore: startedBefore && timestampDate(startedBefore),
    ...{ limit, offset },
  };
  const found = await readPage(ctx.pool, runScope(principal), page);
  return { runs: found.slice(0, limit), hasMore: found.length > limit };
}

export interface StepView extends StepRecord {
  /** The results so far, in the order of the calls. */
  toolResults: ToolResult[];
}

/** Lists the model calls of a run. Customers see neutral error codes instead of reasons that concern the owner. */
export async function listRunSteps(
  ctx: Pick<Context, 'plans' | 'pool'>,
  principal: Principal,
  { runId, limit, offset }: Pick<ListRunStepsRequest, 'runId' | 'limit' | 'offset'>,
): Promise<{ steps: StepView[]; hasMore: boolean }> {
  if (limit < 1 || limit > STEPS_MAX || offset < 0) {
    throw new AppError('VALIDATION_ERROR', 'limit or offset out of range');
  }
  const run = await requireRun(ctx, principal, runId);
  const { steps, hasMore } = await readSteps(ctx.pool, runId, { limit, offset });
  if (principal.kind !== PrincipalKind.CUSTOMER) return { hasMore, steps: steps.map((step) => view(step, false)) };
  const plan = await ctx.plans.load(ctx.pool, run.projectId, run.planHash);
  const hidden = new Set(steps.map(({ nodeId }) => nodeId).filter((id) => plan && agentAround(plan, id) !== undefined));
  return { hasMore, steps: steps.map((step) => hideRequest(view(step, true), hidden)) };
}

function view(step: StepRecord, isCustomer: boolean): StepView {
  const client = step.clientResults === null ? [] : (JSON.parse(step.clientResults) as ToolResult[]);
  const results = resultsInOrder(readCalls(step), { server: step.serverResults, client });
  const toolResults = results.filter((result) => result !== undefined);
  return { ...step, toolResults, errorCode: visibleCode(step.errorCode, isCustomer) };
}

/** Hides the requests of agents from customers, because they contain the owner's prompt, memory and tools. */
function hideRequest(step: StepView, hidden: ReadonlySet<string>): StepView {
  return hidden.has(step.nodeId) ? { ...step, llmRequest: null } : step;
}

function visibleCode(code: string | null, isCustomer: boolean): string | null {
  if (code === null || !isErrorCode(code)) return code;
  return visibleFailure({ code, message: '' }, isCustomer).code;
}

/** Returns the run's own task list. A run in a session uses the session's list instead. */
export async function listRunTasks(
  ctx: Pick<Context, 'pool'>,
  principal: Principal,
  runId: string,
): Promise<readonly Task[]> {
  await requireRun(ctx, principal, runId);
  return (await loadToolState(ctx.pool, runId)).tasks;
}
