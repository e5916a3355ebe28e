import { type Principal, PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError, type SpecIssue } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import { ownTurn } from '@tollgate/runtime';
import type { Context } from '../../context.js';
import { type CompileResult, compileSpec } from '../../domain/compile/compile.js';
import { limits } from '../../domain/limits.js';
import type { HashedPlan, Plan } from '../../domain/plan/plan.js';
import { runScope } from '../../domain/run/run-scope.js';
import { namesMcpServer } from '../../domain/tools/mcp-tools.js';
import { isJsonObject } from '../../domain/values/json.js';
import { parseBody } from './parse-body.js';
import { resolveAgents } from './resolve-agents.js';

/** Compiling a spec with more nodes and edges takes milliseconds: it gets a turn of the event loop of its own. */
const SMALL_GRAPH_MAX = 20;

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

async function compile(ctx: Pick<Context, 'clients'>, spec: unknown, call: Call): Promise<CompileResult> {
  const agents = await resolveAgents(ctx, spec, call);
  if (countParts(spec) > SMALL_GRAPH_MAX) await ownTurn();
  return compileSpec(spec, agents);
}

/** Counts the nodes and edges of a spec that is not checked yet. */
function countParts(spec: unknown): number {
  if (!isJsonObject(spec)) return 0;
  return [spec.nodes, spec.edges].reduce<number>((sum, list) => sum + (Array.isArray(list) ? list.length : 0), 0);
}
