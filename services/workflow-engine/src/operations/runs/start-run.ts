import { createHash, randomBytes } from 'node:crypto';
import { toBinary } from '@bufbuild/protobuf';
import { type Principal, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { type Tx, withTransaction } from '@tollgate/postgres';
import type { Context } from '../../context.js';
import type { HashedPlan, Plan } from '../../domain/plan/plan.js';
import { newDraft } from '../../domain/run/run-draft.js';
import { openRun } from '../../domain/run/run-transitions.js';
import { uuidV7 } from '../../domain/values/ids.js';
import { canonicalJson, type Json, type JsonObject } from '../../domain/values/json.js';
import { databaseNow, insertRun } from '../../store/insert-run.js';
import { claimRunKey, findKeyHolder, type KeyHolder, type RunKey } from '../../store/run-keys.js';
import { insertAlarm } from '../../store/run-work.js';
import { RunCommit } from '../../work/change-run.js';

export interface CreatedRun {
  runId: string;
  status: 'running';
  planHash: string;
}

/** What a run is started from. */
export interface Start {
  planHash: string;
  plan: Plan;
  /** Absent when the plan is in the store already. */
  compiled: HashedPlan | undefined;
}

/** One request to start a run, however often it is sent. */
export interface RunRequestKey {
  principal: Principal;
  /** Empty = none. */
  idempotencyKey: string;
  /** What a repeat under the same key has to be equal in. */
  body: Json;
}

export interface NewRun extends RunRequestKey {
  start: Start;
  /** Values of the plan's declared inputs. */
  input: JsonObject | undefined;
  sessionId: string;
  modelOverride: string;
}

/** Starts a run. A key that has started a run answers with that run, and with CONFLICT to another request. */
export async function startRun(ctx: Context, run: NewRun): Promise<CreatedRun> {
  const commit = new RunCommit(ctx);
  try {
    const created = await withTransaction(ctx.pool, async (tx) => {
      const runId = uuidV7(ctx.clock.nowMs(), randomBytes(16));
      const earlier = run.idempotencyKey === '' ? undefined : await claimRunKey(tx, keyOf(run), hashOf(run), runId);
      if (earlier) return answerOf(earlier, run, run.start.planHash);
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

async function insert(ctx: Context, tx: Tx, commit: RunCommit, run: NewRun, runId: string): Promise<void> {
  const { principal, start, input } = run;
  const { projectId } = principal;
  if (start.compiled) await ctx.plans.save(tx, projectId, start.compiled);
  else if (!(await ctx.plans.use(tx, projectId, start.planHash))) throw noPlan();
  const now = await databaseNow(tx);
  const customerId = principal.customerId || null;
  const draft = newDraft({ runId, projectId, customerId, planHash: start.planHash }, start.plan, now);
  await insertRun(tx, draft, {
    principal: toBinary(PrincipalSchema, principal),
    name: start.plan.name ?? null,
    sessionId: run.sessionId || null,
    input: input === undefined ? null : JSON.stringify(input),
    modelOverride: run.modelOverride || null,
  });
  const deadline = new Date(now.getTime() + start.plan.execution.run_timeout_ms);
  await insertAlarm(tx, { projectId, runId, nodeId: '', kind: 'run_deadline', at: deadline });
  openRun(draft);
  await commit.write({ tx, draft, artifacts: [] });
}

/**
 * The answer to a request that has started a run before: the same again, whatever has become of the agents, the session
 * and the plan since then. @throws AppError CONFLICT when the key was another request's
 */
export async function findStartedRun(ctx: Context, request: RunRequestKey): Promise<CreatedRun | undefined> {
  if (request.idempotencyKey === '') return undefined;
  const holder = await findKeyHolder(ctx.pool, keyOf(request));
  return holder?.planHash ? answerOf(holder, request, holder.planHash) : undefined;
}

/** `present`: stands in for the plan of a run that was removed. */
function answerOf({ runId, planHash, requestHash }: KeyHolder, request: RunRequestKey, present: string): CreatedRun {
  if (requestHash === hashOf(request)) return { runId, status: 'running', planHash: planHash ?? present };
  throw new AppError('CONFLICT', 'this idempotency key was used for another request');
}

function keyOf({ principal, idempotencyKey: key }: RunRequestKey): RunKey {
  return { projectId: principal.projectId, scope: principal.customerId || 'project', key };
}

function hashOf({ body }: RunRequestKey): string {
  return createHash('sha256').update(canonicalJson(body)).digest('hex');
}
