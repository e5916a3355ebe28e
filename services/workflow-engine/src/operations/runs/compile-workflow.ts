import { type Principal, PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError, type SpecIssue } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import type { Context } from '../../context.js';
import { type CompileResult, compileSpec } from '../../domain/compile/compile.js';
import { limits } from '../../domain/limits.js';
import type { HashedPlan } from '../../domain/plan/plan.js';
import { runScope } from '../../domain/run/run-scope.js';
import { namesMcpServer } from '../../domain/tools/mcp-tools.js';
import { parseBody } from './parse-body.js';
import { resolveAgents } from './resolve-agents.js';

/** Compiles a spec and stores its plan for later runs by hash. @throws AppError VALIDATION_ERROR with all issues */
export async function compileWorkflow(
  ctx: Pick<Context, 'clients' | 'plans' | 'pool'>,
  principal: Principal,
  spec: string,
  call: Call,
): Promise<HashedPlan> {
  runScope(principal);
  const plan = await compilePlan(ctx, parseBody(spec, limits.specBytes, 'spec'), call);
  await ctx.plans.save(ctx.pool, principal.projectId, plan);
  return plan;
}

/** Returns all issues of a spec; none if it compiles. */
export async function lintWorkflow(
  ctx: Pick<Context, 'clients'>,
  principal: Principal,
  spec: string,
  call: Call,
): Promise<readonly SpecIssue[]> {
  runScope(principal);
  const compiled = await compile(ctx, parseBody(spec, limits.specBytes, 'spec'), call);
  return compiled.ok ? [] : compiled.issues;
}

/**
 * Compiles a spec with its agents pinned.
 *
 * @throws AppError VALIDATION_ERROR with all issues; FORBIDDEN when a customer's spec names MCP servers
 */
export async function compilePlan(ctx: Pick<Context, 'clients'>, spec: unknown, call: Call): Promise<HashedPlan> {
  const compiled = requirePlan(await compile(ctx, spec, call));
  if (call.requirePrincipal().kind === PrincipalKind.CUSTOMER && namesMcpServer(compiled.plan)) {
    throw new AppError(
      'FORBIDDEN',
      'a customer may use MCP servers through agents only: mcp_servers needs a secret key',
    );
  }
  return compiled;
}

/** @throws AppError VALIDATION_ERROR with all issues */
export function requirePlan(compiled: CompileResult): HashedPlan {
  if (compiled.ok) return compiled;
  throw new AppError('VALIDATION_ERROR', 'the workflow spec is not valid', { issues: compiled.issues });
}

async function compile(ctx: Pick<Context, 'clients'>, spec: unknown, call: Call): Promise<CompileResult> {
  return compileSpec(spec, await resolveAgents(ctx, spec, call));
}
