import { createHash, randomBytes } from 'node:crypto';
import { toBinary } from '@bufbuild/protobuf';
import { type Principal, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { type Tx, withTransaction } from '@tollgate/postgres';
import { canonicalJson } from '@tollgate/runtime/canonical-json';
import type { Context } from '../../context.js';
import type { HashedPlan, Plan } from '../../domain/plan/plan.js';
import { newDraft } from '../../domain/run/run-draft.js';
import { openRun } from '../../domain/run/run-transitions.js';
import { uuidV7 } from '../../domain/values/ids.js';
import type { Json, JsonObject } from '../../domain/values/json.js';
import { RunCommit } from '../../execution/change-run.js';
import type { TransitionContext } from '../../execution/work-context.js';
import { databaseNow, insertRun } from '../../store/insert-run.js';
import { insertAlarm } from '../../store/queues/run-work.js';
import { claimRunKey, findKeyHolder, type KeyHolder, type RunKey } from '../../store/run-keys.js';

export interface CreatedRun {
  runId: string;
  status: 'running';
  planHash: string;
}

/** The plan that a run starts from. */
export interface Start {
  planHash: string;
  plan: Plan;
  /** The plan to store; undefined when it is stored already. */
  compiled: HashedPlan | undefined;
}

/** Identifies a request to start a run; the caller may repeat the request. */
export interface RunRequestKey {
  principal: Principal;
  /** Empty for none. */
  idempotencyKey: string;
  /** Must be equal in all requests with the same key. */
  body: Json;
}

export interface NewRun extends RunRequestKey {
  start: Start;
  /** Values of the plan's declared inputs. */
  input: JsonObject | undefined;
  sessionId: string;
  modelOverride: string;
  /** W3C context of the request. */
  traceparent: string | undefined;
}

/**
 * Starts a run. If the idempotency key was used before, returns the run that was started with it.
 *
 * @throws AppError CONFLICT when the key was used for a different request
 */
export async function startRun(ctx: TransitionContext & Pick<Context, 'clock'>, run: NewRun): Promise<CreatedRun> {
  const commit = new RunCommit(ctx);
  try {
    const created = await withTransaction(ctx.pool, async (tx) => {
      const runId = uuidV7(ctx.clock.nowMs(), randomBytes(16));
      const earlier =
        run.idempotencyKey === '' ? undefined : await claimRunKey(tx, toRunKey(run), hashRequest(run), runId);
      if (earlier) return toCreatedRun(earlier, run, run.start.planHash);
      await insert(ctx, tx, commit, run, runId);
      return { runId, status: 'running' as const, planHash: run.start.planHash };
    });
    commit.announce();
    return created;
  } catch (error) {
    commit.abandon();
    throw error;
  }
}

export function noPlan(): AppError {
  return new AppError('NOT_FOUND', 'no plan with this plan_hash');
}

async function insert(
  ctx: Pick<Context, 'plans'>,
  tx: Tx,
  commit: RunCommit,
  run: NewRun,
  runId: string,
): Promise<void> {
  const { principal, start, input } = run;
  const { projectId } = principal;
  if (start.compiled) await ctx.plans.save(tx, projectId, start.compiled);
  else if (!(await ctx.plans.use(tx, projectId, start.planHash))) throw noPlan();
  const now = await databaseNow(tx);
  const customerId = principal.customerId || null;
  const traceparent = run.traceparent ?? null;
  const identity = { runId, projectId, customerId, planHash: start.planHash, traceparent };
  const draft = newDraft(identity, start.plan, now);
  await insertRun(tx, draft, {
    principal: toBinary(PrincipalSchema, principal),
    name: start.plan.name ?? null,
    sessionId: run.sessionId || null,
    input: input === undefined ? null : JSON.stringify(input),
    modelOverride: run.modelOverride || null,
    traceparent,
  });
  const deadline = new Date(now.getTime() + start.plan.execution.run_timeout_ms);
  await insertAlarm(tx, { projectId, runId, nodeId: '', kind: 'run_deadline', at: deadline });
  openRun(draft);
  await commit.write({ tx, draft, artifacts: [] });
}

/**
 * Finds the run that an earlier request with the same key started, even if the agents, the session or the plan have
 * changed since.
 *
 * @throws AppError CONFLICT when the key was used for a different request
 */
export async function findStartedRun(
  ctx: Pick<Context, 'pool'>,
  request: RunRequestKey,
): Promise<CreatedRun | undefined> {
  if (request.idempotencyKey === '') return undefined;
  const holder = await findKeyHolder(ctx.pool, toRunKey(request));
  return holder?.planHash ? toCreatedRun(holder, request, holder.planHash) : undefined;
}

/** `fallbackHash`: the plan's hash to return when the run was deleted. */
function toCreatedRun(
  { runId, planHash, requestHash }: KeyHolder,
  request: RunRequestKey,
  fallbackHash: string,
): CreatedRun {
  if (requestHash === hashRequest(request)) return { runId, status: 'running', planHash: planHash ?? fallbackHash };
  throw new AppError('CONFLICT', 'this idempotency key was used for another request');
}

function toRunKey({ principal, idempotencyKey: key }: RunRequestKey): RunKey {
  return { projectId: principal.projectId, scope: principal.customerId || 'project', key };
}

function hashRequest({ body }: RunRequestKey): string {
  return createHash('sha256').update(canonicalJson(body)).digest('hex');
}
