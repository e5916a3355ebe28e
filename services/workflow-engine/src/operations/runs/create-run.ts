import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import type { Context } from '../../context.js';
import { limits } from '../../domain/limits.js';
import type { Plan } from '../../domain/plan/plan.js';
import { runScope } from '../../domain/run/run-scope.js';
import { inputValues } from '../../domain/values/input-values.js';
import { isJsonObject, type JsonObject } from '../../domain/values/json.js';
import type { TransitionContext } from '../../execution/work-context.js';
import type { ParsedSpec } from './compile-spec.js';
import { checkMcpServers, compilePlan, parseSpec } from './compile-workflow.js';
import { parseBody } from './parse-body.js';
import { type CreatedRun, findStartedRun, noPlan, type Start, startRun } from './start-run.js';

export interface RunRequest {
  /** JSON; empty when `planHash` is set. */
  spec: string;
  planHash: string;
  /** JSON; empty for none. */
  input: string;
  sessionId: string;
  modelOverride: string;
  idempotencyKey: string;
}

/**
 * Compiles and starts a run. If the idempotency key was used before, returns the run that was started with it.
 *
 * @throws AppError CONFLICT when the key was used for a different request
 */
export async function createRun(
  ctx: TransitionContext & Pick<Context, 'clients' | 'clock' | 'compileThread'>,
  principal: Principal,
  request: RunRequest,
  call: Call,
): Promise<CreatedRun> {
  runScope(principal);
  const spec = parseSpec(request.spec);
  const input = parseInput(request.input);
  const { planHash, sessionId, modelOverride, idempotencyKey } = request;
  const body = { spec: spec.value ?? null, planHash, input: input ?? null, sessionId, modelOverride };
  const earlier = await findStartedRun(ctx, { principal, idempotencyKey, body });
  if (earlier) return earlier;
  const start = await findStart(ctx, principal, { request, spec }, call);
  const values = valuesFor(start.plan, input);
  if (sessionId !== '') await checkSession(ctx, sessionId, call);
  const { traceparent } = call;
  return startRun(ctx, {
    principal,
    start,
    input: values,
    sessionId,
    modelOverride,
    idempotencyKey,
    body,
    traceparent,
  });
}

async function findStart(
  ctx: Pick<Context, 'clients' | 'compileThread' | 'plans' | 'pool'>,
  principal: Principal,
  { request, spec }: { request: RunRequest; spec: ParsedSpec },
  call: Call,
): Promise<Start> {
  if (spec.value === undefined) {
    if (request.planHash === '') throw new AppError('VALIDATION_ERROR', 'spec or plan_hash is required');
    const plan = await ctx.plans.load(ctx.pool, principal.projectId, request.planHash);
    // A plan with a rehearsal gives access to another run's recording, so only a replay may use it.
    if (!plan || plan.rehearsal) throw noPlan();
    checkMcpServers(principal, plan);
    return { plan, planHash: request.planHash, compiled: undefined };
  }
  const compiled = await compilePlan(ctx, spec, call);
  return { plan: compiled.plan, planHash: compiled.hash, compiled };
}

/**
 * Checks the session, where the run's tools store their state.
 *
 * @throws AppError NOT_FOUND when the caller has no such session
 */
async function checkSession(ctx: Pick<Context, 'clients'>, sessionId: string, call: Call): Promise<void> {
  await ctx.clients.toolState.applyToolOperations({ scope: { case: 'sessionId', value: sessionId } }, call);
}

/** Returns the values of the declared inputs; undefined for workflow.v0, which declares none. */
export function valuesFor({ inputs }: Plan, input: JsonObject | undefined): JsonObject | undefined {
  if (!inputs) return undefined;
  const checked = inputValues(inputs, input ?? {});
  if (checked.ok) return checked.values;
  throw new AppError('VALIDATION_ERROR', 'the input does not match the inputs of the workflow', {
    issues: checked.issues,
  });
}

function parseInput(text: string): JsonObject | undefined {
  const input = parseBody(text, limits.runInputBytes, 'input');
  if (input === undefined || isJsonObject(input)) return input;
  throw new AppError('VALIDATION_ERROR', 'input must be an object');
}
