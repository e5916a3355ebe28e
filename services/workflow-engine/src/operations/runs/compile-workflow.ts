import { type Principal, PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError, type SpecIssue } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import type { Context } from '../../context.js';
import type { CompileResult } from '../../domain/compile/compile.js';
import { limits } from '../../domain/limits.js';
import type { HashedPlan, Plan } from '../../domain/plan/plan.js';
import { runScope } from '../../domain/run/run-scope.js';
import { namesMcpServer } from '../../domain/tools/mcp-tools.js';
import { compileLargeSpec, type ParsedSpec, type SpecText } from './compile-spec.js';
import { parseBody } from './parse-body.js';
import { resolveAgents } from './resolve-agents.js';

type CompileContext = Pick<Context, 'clients' | 'compileThread'>;

/** Compiles a spec and stores its plan for later runs by hash. @throws AppError VALIDATION_ERROR with all issues */
export async function compileWorkflow(
  ctx: CompileContext & Pick<Context, 'plans' | 'pool'>,
  principal: Principal,
  spec: string,
  call: Call,
): Promise<HashedPlan> {
  runScope(principal);
  const plan = await compilePlan(ctx, parseSpec(spec), call);
  await ctx.plans.save(ctx.pool, principal.projectId, plan);
  return plan;
}

/** Returns all issues of a spec; none if it compiles. */
export async function lintWorkflow(
  ctx: CompileContext,
  principal: Principal,
  spec: string,
  call: Call,
): Promise<readonly SpecIssue[]> {
  runScope(principal);
  const compiled = await compile(ctx, parseSpec(spec), call);
  return compiled.ok ? [] : compiled.issues;
}

/**
 * Compiles a spec with its agents pinned.
 *
 * @throws AppError VALIDATION_ERROR with all issues; FORBIDDEN when a customer's spec names MCP servers
 */
export async function compilePlan(ctx: CompileContext, spec: SpecText, call: Call): Promise<HashedPlan> {
  const compiled = requirePlan(await compile(ctx, spec, call));
  checkMcpServers(call.requirePrincipal(), compiled.plan);
  return compiled;
}

/** @throws AppError FORBIDDEN when a customer would run a plan that names MCP servers */
export function checkMcpServers({ kind }: Principal, plan: Plan): void {
  if (kind === PrincipalKind.CUSTOMER && namesMcpServer(plan)) {
    throw new AppError(
      'FORBIDDEN',
      'a customer may use MCP servers through agents only: mcp_servers needs a secret key',
    );
  }
}

/** @throws AppError VALIDATION_ERROR with all issues */
export function requirePlan(compiled: CompileResult): HashedPlan {
  if (compiled.ok) return compiled;
  throw new AppError('VALIDATION_ERROR', 'the workflow spec is not valid', { issues: compiled.issues });
}

/** @throws AppError when the text is too large or not JSON */
export function parseSpec(text: string): ParsedSpec {
  return { text, value: parseBody(text, limits.specBytes, 'spec') };
}

async function compile(ctx: CompileContext, spec: SpecText, call: Call): Promise<CompileResult> {
  return compileLargeSpec(ctx.compileThread, spec, await resolveAgents(ctx, spec.value, call), call);
}
