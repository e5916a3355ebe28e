import { type Principal, PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import {
  AgentRunMode,
  type AgentRunOptions,
  type StartAgentRunRequest,
} from '@tollgate/contracts/workflow/v1/agent_runs_pb.js';
import { AppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import type { Context } from '../../context.js';
import { limits } from '../../domain/limits.js';
import {
  AGENT_INPUT,
  type AgentOverrides,
  agentRunPlan,
  agentRunSpec,
  findAgentNode,
} from '../../domain/plan/agent-run-plan.js';
import type { HashedPlan, Rehearsal } from '../../domain/plan/plan.js';
import { runScope } from '../../domain/run/run-scope.js';
import { isTerminal } from '../../domain/run/status.js';
import { isJsonObject, type Json, type JsonObject } from '../../domain/values/json.js';
import type { TransitionContext } from '../../execution/work-context.js';
import { readRunInput } from '../../store/runs/read-runs.js';
import { compileLargeSpec } from '../runs/compile-spec.js';
import { requirePlan } from '../runs/compile-workflow.js';
import { valuesFor } from '../runs/create-run.js';
import { parseBody } from '../runs/parse-body.js';
import { requireRun } from '../runs/read-runs.js';
import { resolveAgent, resolveAround } from '../runs/resolve-agents.js';
import { type CreatedRun, findStartedRun, startRun } from '../runs/start-run.js';

/**
 * Starts a run of an agent. Returns the earlier run of the same idempotency key, even if the agent has changed since.
 */
export async function startAgentRun(
  ctx: TransitionContext & Pick<Context, 'clients' | 'clock' | 'compileThread'>,
  principal: Principal,
  request: StartAgentRunRequest,
  call: Call,
): Promise<CreatedRun> {
  runScope(principal);
  if (request.mode !== AgentRunMode.RUN && principal.kind === PrincipalKind.CUSTOMER) {
    throw new AppError('FORBIDDEN', 'testing an agent requires a secret key');
  }
  const inputs = parse(request);
  const { idempotencyKey, keyUntilEnd: isKeyUntilEnd } = request;
  const repeatable = { principal, idempotencyKey, isKeyUntilEnd, body: toBody(request, inputs) };
  const earlier = await findStartedRun(ctx, repeatable);
  if (earlier) return earlier;
  const { plan, input } =
    request.replayRunId === ''
      ? await planRun(ctx, principal, { ...request, ...inputs }, call)
      : await planReplay(ctx, principal, request);
  const values = valuesFor(plan.plan, { [AGENT_INPUT]: input });
  const start = { plan: plan.plan, planHash: plan.hash, compiled: plan };
  const { traceparent } = call;
  return startRun(ctx, { ...repeatable, start, input: values, sessionId: '', modelOverride: '', traceparent });
}

interface RunInputs {
  input: Json | undefined;
  mocks: JsonObject;
}

function parse({ inputJson, mockToolsJson }: StartAgentRunRequest): RunInputs {
  const input = parseBody(Buffer.from(inputJson).toString('utf8'), limits.agentInputBytes, 'input');
  const mocks = parseBody(Buffer.from(mockToolsJson).toString('utf8'), limits.mocksBytes, 'mock_tools') ?? {};
  if (!isJsonObject(mocks)) throw new AppError('VALIDATION_ERROR', 'mock_tools must be an object');
  return { input, mocks };
}

/** Returns the values that must be equal under one idempotency key. The caller does not choose the agent's revision. */
function toBody({ slug, mode, options, replayRunId }: StartAgentRunRequest, { input, mocks }: RunInputs): Json {
  const overrides = options ? toOverrides(options) : {};
  const set = Object.entries(overrides).filter((entry): entry is [string, Json] => entry[1] !== undefined);
  const fields = { ...Object.fromEntries(set), dry_run: options?.dryRun ?? false };
  return { agent: slug, mode, input: input ?? null, options: fields, mocks, replay: replayRunId };
}

async function planRun(
  ctx: Pick<Context, 'clients' | 'compileThread'>,
  principal: Principal,
  { slug, mode, options, input, mocks }: Pick<StartAgentRunRequest, 'slug' | 'mode' | 'options'> & RunInputs,
  call: Call,
): Promise<{ plan: HashedPlan; input: Json }> {
  if (input === undefined) throw new AppError('VALIDATION_ERROR', 'input is required');
  const agent = await resolveAgent(ctx, slug, call);
  if (!agent) throw noAgent();
  const overrides = options ? toOverrides(options) : {};
  if (!agent.model && !overrides.model && principal.customerId === '') {
    const fields = [{ field: 'options.model', message: 'is required: the agent has no model' }];
    throw new AppError('VALIDATION_ERROR', 'model is required', { fields });
  }
  const directory = await resolveAround(ctx, agent, call);
  const spec = { value: agentRunSpec(agent, overrides) };
  const { plan } = requirePlan(await compileLargeSpec(ctx.compileThread, spec, directory, call));
  const isDryRun = options?.dryRun ?? false;
  const isRehearsal = mode !== AgentRunMode.RUN || isDryRun;
  const rehearsal: Rehearsal | undefined = isRehearsal ? { mocks, is_dry_run: isDryRun } : undefined;
  return { plan: agentRunPlan(plan, rehearsal), input };
}

/** Returns the plan and the input of an ended run, to replay it. */
async function planReplay(
  ctx: Pick<Context, 'plans' | 'pool'>,
  principal: Principal,
  { slug, replayRunId: runId }: StartAgentRunRequest,
): Promise<{ plan: HashedPlan; input: Json }> {
  const run = await requireRun(ctx, principal, runId);
  const source = await ctx.plans.load(ctx.pool, run.projectId, run.planHash);
  if (!source || findAgentNode(source)?.agent.slug !== slug)
    throw new AppError('NOT_FOUND', 'the run is not a run of this agent');
  if (!isTerminal(run.status)) throw new AppError('CONFLICT', 'the run has not ended yet');
  const input = await readRunInput(ctx.pool, runId);
  const rehearsal = { mocks: source.rehearsal?.mocks ?? {}, is_dry_run: false, replay_of: runId };
  return { plan: agentRunPlan(source, rehearsal), input: input?.[AGENT_INPUT] ?? [] };
}

function toOverrides(options: AgentRunOptions): AgentOverrides {
  return {
    model: options.model,
    max_steps: options.maxSteps,
    max_duration_sec: options.maxDurationSec,
    step_timeout_sec: options.stepTimeoutSec,
    tool_failure_policy: options.toolFailurePolicy,
    tool_retry_count: options.toolRetryCount,
  };
}

function noAgent(): AppError {
  return new AppError('NOT_FOUND', 'agent not found');
}
