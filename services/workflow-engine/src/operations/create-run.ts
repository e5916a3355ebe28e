import { createHash, randomBytes } from 'node:crypto';
import { toBinary } from '@bufbuild/protobuf';
import { type Principal, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { type Tx, withTransaction } from '@tollgate/postgres';
import type { Context } from '../context.js';
import { compileSpec } from '../domain/compile/compile.js';
import { uuidV7 } from '../domain/ids.js';
import { canonicalJson, isJsonObject, type Json, type JsonObject } from '../domain/json.js';
import { limits } from '../domain/limits.js';
import type { HashedPlan, Plan } from '../domain/plan.js';
import { newDraft } from '../domain/run-draft.js';
import { runScope } from '../domain/run-scope.js';
import { openRun } from '../domain/run-transitions.js';
import { databaseNow, insertRun } from '../store/insert-run.js';
import { claimRunKey } from '../store/run-keys.js';
import { insertAlarm } from '../store/run-work.js';
import { RunCommit } from './change-run.js';

export interface RunRequest {
  /** JSON; empty when `planHash` is given. */
  spec: string;
  planHash: string;
  /** JSON; empty = none. */
  input: string;
  sessionId: string;
  modelOverride: string;
  idempotencyKey: string;
}

export interface CreatedRun {
  runId: string;
  status: 'running';
  planHash: string;
}

/** What a run is started from. */
interface Start {
  planHash: string;
  plan: Plan;
  /** Absent when the plan is in the store already. */
  compiled: HashedPlan | undefined;
}

/** Compiles and starts a run. A key that has started a run answers with that run, and with CONFLICT to another request. */
export async function createRun(ctx: Context, principal: Principal, request: RunRequest): Promise<CreatedRun> {
  runScope(principal);
  const spec = parseJson(request.spec, limits.specBytes, 'spec');
  const input = parseInput(request.input);
  const start = await startFrom(ctx, principal, request, spec);
  const commit = new RunCommit(ctx);
  try {
    const created = await withTransaction(ctx.pool, async (tx) => {
      const runId = uuidV7(ctx.clock.nowMs(), randomBytes(16));
      const earlier = await earlierRun(tx, principal, request, spec, input, runId);
      if (earlier) return { runId: earlier, status: 'running' as const, planHash: start.planHash };
      await insert(ctx, tx, commit, { principal, request, start, input, runId });
      return { runId, status: 'running' as const, planHash: start.planHash };
    });
    commit.announce();
    return created;
  } catch (error) {
    commit.abandon();
    throw error;
  }
}

async function startFrom(
  ctx: Context,
  principal: Principal,
  request: RunRequest,
  spec: Json | undefined,
): Promise<Start> {
  if (spec === undefined) {
    if (request.planHash === '') throw new AppError('VALIDATION_ERROR', 'spec or plan_hash is required');
    const plan = await ctx.plans.load(ctx.pool, principal.projectId, request.planHash);
    if (!plan) throw new AppError('NOT_FOUND', 'no plan with this plan_hash');
    return { plan, planHash: request.planHash, compiled: undefined };
  }
  const compiled = compileSpec(spec);
  if (!compiled.ok)
    throw new AppError('VALIDATION_ERROR', 'the workflow spec is not valid', { issues: compiled.issues });
  return { plan: compiled.plan, planHash: compiled.hash, compiled };
}

interface Insert {
  principal: Principal;
  request: RunRequest;
  start: Start;
  input: JsonObject | undefined;
  runId: string;
}

async function insert(ctx: Context, tx: Tx, commit: RunCommit, facts: Insert): Promise<void> {
  const { principal, request, start, input, runId } = facts;
  const { projectId } = principal;
  if (start.compiled) await ctx.plans.save(tx, projectId, start.compiled);
  const now = await databaseNow(tx);
  const customerId = principal.customerId || null;
  const draft = newDraft({ runId, projectId, customerId, planHash: start.planHash }, start.plan, now);
  await insertRun(tx, draft, {
    principal: toBinary(PrincipalSchema, principal),
    name: start.plan.name ?? null,
    sessionId: request.sessionId || null,
    input: input === undefined ? null : JSON.stringify(input),
    modelOverride: request.modelOverride || null,
  });
  const deadline = new Date(now.getTime() + start.plan.execution.run_timeout_ms);
  await insertAlarm(tx, { projectId, runId, nodeId: '', kind: 'run_deadline', at: deadline });
  openRun(draft);
  await commit.write({ tx, draft, artifacts: [] });
}

/** The run that this key has started before. @throws AppError CONFLICT when it was another request. */
async function earlierRun(
  tx: Tx,
  principal: Principal,
  request: RunRequest,
  spec: Json | undefined,
  input: JsonObject | undefined,
  runId: string,
): Promise<string | undefined> {
  const { idempotencyKey: key, planHash, sessionId, modelOverride } = request;
  if (key === '') return undefined;
  const body = { spec: spec ?? null, planHash, input: input ?? null, sessionId, modelOverride };
  const requestHash = createHash('sha256').update(canonicalJson(body)).digest('hex');
  const scope = { projectId: principal.projectId, scope: principal.customerId || 'project', key };
  const claim = await claimRunKey(tx, scope, requestHash, runId);
  if (claim.fresh) return undefined;
  if (claim.requestHash === requestHash) return claim.runId;
  throw new AppError('CONFLICT', 'this idempotency key was used for another request');
}

function parseInput(text: string): JsonObject | undefined {
  const input = parseJson(text, limits.runInputBytes, 'input');
  if (input === undefined || isJsonObject(input)) return input;
  throw new AppError('VALIDATION_ERROR', 'input must be an object');
}

function parseJson(text: string, maxBytes: number, field: string): Json | undefined {
  if (text === '') return undefined;
  if (Buffer.byteLength(text) > maxBytes) {
    throw new AppError('PAYLOAD_TOO_LARGE', `${field} is larger than ${maxBytes} bytes`);
  }
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw new AppError('VALIDATION_ERROR', `${field} is not JSON`);
  }
}
