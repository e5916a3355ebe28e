import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError, type SpecIssue } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import type { Context } from '../../context.js';
import { type CompileResult, compileSpec } from '../../domain/compile/compile.js';
import { limits } from '../../domain/limits.js';
import type { HashedPlan } from '../../domain/plan/plan.js';
import { runScope } from '../../domain/run/run-scope.js';
import { parseBody } from './parse-body.js';
import { resolveAgents } from './resolve-agents.js';

/** Compiles a spec and keeps its plan for runs by its hash. @throws AppError VALIDATION_ERROR with every fault */
export async function compileWorkflow(
  ctx: Context,
  principal: Principal,
  spec: string,
  call: Call,
): Promise<HashedPlan> {
  runScope(principal);
  const plan = await planOf(ctx, parseBody(spec, limits.specBytes, 'spec'), call);
  await ctx.plans.save(ctx.pool, principal.projectId, plan);
  return plan;
}

/** Every fault of a spec; none = it compiles. */
export async function lintWorkflow(
  ctx: Context,
  principal: Principal,
  spec: string,
  call: Call,
): Promise<readonly SpecIssue[]> {
  runScope(principal);
  const compiled = await compile(ctx, parseBody(spec, limits.specBytes, 'spec'), call);
  return compiled.ok ? [] : compiled.issues;
}

/** The plan of a spec, its agents pinned. @throws AppError VALIDATION_ERROR with every fault */
export async function planOf(ctx: Context, spec: unknown, call: Call): Promise<HashedPlan> {
  return requirePlan(await compile(ctx, spec, call));
}

/** @throws AppError VALIDATION_ERROR with every fault */
export function requirePlan(compiled: CompileResult): HashedPlan {
  if (compiled.ok) return compiled;
  throw new AppError('VALIDATION_ERROR', 'the workflow spec is not valid', { issues: compiled.issues });
}

async function compile(ctx: Context, spec: unknown, call: Call): Promise<CompileResult> {
  return compileSpec(spec, await resolveAgents(ctx, spec, call));
}
