import { type Principal, PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import type { Context } from '../context.js';
import type { ProjectFacts } from '../domain/identity.js';
import { principalInProject } from '../domain/principal.js';
import { findProject as readProject } from '../store/projects.js';
import type { RouteInput } from './route.js';

type Asker = Pick<RouteInput<unknown, unknown, unknown>, 'principal'>;

/**
 * The caller's principal for `/projects/:id/…`: an owner in any project of the account; keys and customers only in
 * their own. Whatever is foreign does not exist. Use its result as the principal of further calls:
 * `input.call.with({ principal })`.
 *
 * @param thing what the path names in the project: in somebody else's there is none
 * @throws AppError NOT_FOUND
 */
export async function requireProject(
  ctx: Context,
  input: Asker,
  projectId: string,
  thing = 'project',
): Promise<Principal> {
  const { principal } = input;
  const id = projectId.toLowerCase();
  if (principal.projectId === id) return principal;
  if (principal.kind !== PrincipalKind.OWNER) throw notFound(thing);
  const facts = await findProject(ctx, id);
  if (facts?.accountId !== principal.accountId) throw notFound(thing);
  return principalInProject(principal, facts);
}

/** Settings of the principal's project that routes decide by, for example whether publishable keys may claim. */
export async function projectOf(ctx: Context, principal: Principal): Promise<ProjectFacts> {
  const facts = await findProject(ctx, principal.projectId);
  if (!facts) throw notFound('project');
  return facts;
}

/** The project's markup on catalog prices, in percent. Read anew: an edge may remember settings for a few seconds. */
export async function markupOf(ctx: Context, { accountId, projectId }: Principal): Promise<number> {
  const project = await readProject(ctx.db, accountId, projectId);
  if (!project) throw notFound('project');
  return project.markupPercentage;
}

async function findProject(ctx: Context, id: string): Promise<ProjectFacts | undefined> {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) return undefined;
  return ctx.directory.project(id);
}

function notFound(thing: string): AppError {
  return new AppError('NOT_FOUND', `${thing} not found`);
}
