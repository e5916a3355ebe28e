import { createHash, randomBytes } from 'node:crypto';
import { encodeMessage } from '@tollgate/contracts/codec';
import { type Principal, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { type Tx, withTransaction } from '@tollgate/postgres';
import { canonicalJson } from '@tollgate/runtime/canonical-json';
import type { Context } from '../../context.js';
import type { HashedPlan, Plan } from '../../domain/plan/plan.js';
import { listAgents } from '../../domain/plan/plan-tree.js';
import { newDraft, type RunDraft } from '../../domain/run/run-draft.js';
import { openRun } from '../../domain/run/run-transitions.js';
import { uuidV7 } from '../../domain/values/ids.js';
import { type Json, type JsonObject, writeJson } from '../../domain/values/json.js';
import { RunCommit } from '../../execution/run-commit.js';
import type { TransitionContext } from '../../execution/work-context.js';
import type { Artifact } from '../../store/artifacts.js';
import { databaseNow, insertRun } from '../../store/runs/insert-run.js';
import type { LockedRun } from '../../store/runs/lock-run.js';
import { claimRunKey, findKeyHolder, type KeyHolder, type RunKey, takeRunKeyOver } from '../../store/runs/run-keys.js';
import { writeRun } from '../../store/runs/write-run.js';
import type { StepWrites, WrittenRun } from '../../store/runs/write-runs.js';

export interface CreatedRun {
  runId: string;
  status: 'running';
  planHash: string;
}

/** The plan that a run starts from. */
/** How often a key may change hands while a request takes it over. */
const TAKE_OVERS_MAX = 5;

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
  /** The key identifies a request only until its run has ended, and another request takes it over. */
  isKeyUntilEnd?: boolean;
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
  let commit: RunCommit | undefined;
  try {
    const { created, inserted } = await withTransaction(ctx.pool, async (tx) => {
      const runId = uuidV7(ctx.clock.nowMs(), randomBytes(16));
      const earlier = run.idempotencyKey === '' ? undefined : await claimKey(tx, run, runId);
      if (earlier) return { created: toCreatedRun(earlier, run, run.start.planHash) };
      const inserted = await insert(ctx, tx, run, runId);
      commit = new RunCommit(ctx, inserted, undefined);
      const written = await writeRun(tx, commit.write);
      const created = { runId, status: 'running' as const, planHash: run.start.planHash };
      return { created, inserted: { ...inserted, written } };
    });
    if (commit && inserted) afterCommit(ctx, commit, inserted);
    return created;
  } catch (error) {
    commit?.abandon();
    throw error;
  }
}

/** Claims the request's key for a run, or returns the run that holds it. */
async function claimKey(tx: Tx, request: RunRequestKey, runId: string): Promise<KeyHolder | undefined> {
  const key = toRunKey(request);
  const requestHash = hashRequest(request);
  for (let attempt = 0; attempt < TAKE_OVERS_MAX; attempt += 1) {
    const holder = await claimRunKey(tx, key, requestHash, runId);
    if (!holder || !isFree(holder, request)) return holder;
    if (await takeRunKeyOver(tx, key, { from: holder.runId, to: runId, requestHash })) return undefined;
  }
  throw new AppError('SERVICE_UNAVAILABLE', 'too many requests use this idempotency key', { retryable: true });
}

/** Returns whether the key of an earlier request identifies another request now. */
function isFree(holder: KeyHolder, request: RunRequestKey): boolean {
  return request.isKeyUntilEnd === true && (holder.isEnded || holder.requestHash !== hashRequest(request));
}

function afterCommit(
  { runStates }: Pick<TransitionContext, 'runStates'>,
  commit: RunCommit,
  { run, written }: { run: LockedRun; written: WrittenRun },
): void {
  runStates.remember(run, commit.write, written);
  commit.announce(written.kept);
}

export function noPlan(): AppError {
  return new AppError('NOT_FOUND', 'no plan with this plan_hash');
}

async function insert(
  ctx: Pick<Context, 'plans'>,
  tx: Tx,
  run: NewRun,
  runId: string,
): Promise<{ run: LockedRun; draft: RunDraft; artifacts: Artifact[]; steps: StepWrites }> {
  const { principal, start, input } = run;
  const { projectId } = principal;
  if (start.compiled) await ctx.plans.save(tx, projectId, start.compiled);
  else if (!(await ctx.plans.use(tx, projectId, start.planHash))) throw noPlan();
  const now = await databaseNow(tx);
  const customerId = principal.customerId || null;
  const traceparent = run.traceparent ?? null;
  const identity = { runId, projectId, customerId, planHash: start.planHash, traceparent };
  const draft = newDraft(identity, start.plan, now);
  const fields = {
    principal: Buffer.from(encodeMessage(PrincipalSchema, principal)),
    sessionId: run.sessionId || null,
    input: input === undefined ? null : writeJson(input),
    modelOverride: run.modelOverride || null,
    traceparent,
  };
  const deadlineAt = new Date(now.getTime() + start.plan.execution.run_timeout_ms);
  await insertRun(tx, draft, {
    ...fields,
    name: start.plan.name ?? null,
    deadlineAt,
    agents: listAgents(start.plan),
  });
  openRun(draft);
  const inserted = { ...identity, ...fields, status: draft.status, lastSeq: 0, createdAt: now };
  return { run: inserted, draft, artifacts: [], steps: { dispatched: [], ended: [] } };
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
  if (!holder?.planHash || isFree(holder, request)) return undefined;
  return toCreatedRun(holder, request, holder.planHash);
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

/** Customers have keys of their own; all keys of a project share one namespace. */
export function toRunKey({ principal, idempotencyKey: key }: Omit<RunRequestKey, 'body'>): RunKey {
  return { projectId: principal.projectId, scope: principal.customerId || 'project', key };
}

function hashRequest({ body }: RunRequestKey): string {
  return createHash('sha256').update(canonicalJson(body)).digest('hex');
}
