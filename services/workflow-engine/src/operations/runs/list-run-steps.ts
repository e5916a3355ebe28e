import { type Principal, PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import type { ListRunStepsRequest } from '@tollgate/contracts/workflow/v1/workflow_pb.js';
import { AppError, isErrorCode } from '@tollgate/errors';
import type { Context } from '../../context.js';
import { agentAround } from '../../domain/plan/plan-tree.js';
import { visibleFailure } from '../../domain/step/refusal.js';
import { resultsInOrder, type ToolResult } from '../../domain/tools/tool-calls.js';
import { readCalls } from '../../execution/model-steps/journal-rows.js';
import { readSteps, type StepRecord } from '../../store/steps/read-steps.js';
import { requireRun } from './visible-run.js';

const LIMIT_MAX = 500;

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
  if (limit < 1 || limit > LIMIT_MAX || offset < 0) {
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
