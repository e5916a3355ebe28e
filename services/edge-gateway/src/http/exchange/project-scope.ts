import type { IncomingHttpHeaders } from 'node:http';
import { create } from '@bufbuild/protobuf';
import { type Principal, PrincipalKind, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { isLowerCaseUuid } from '@tollgate/runtime/uuid';
import type { Context } from '../../context.js';
import type { ProjectInfo } from '../../domain/identity.js';
import { principalForCustomer, principalInProject } from '../../domain/principal.js';
import { findProject as readProject } from '../../store/projects.js';
import { findNamedCustomer } from './authenticate.js';
import type { RouteInput } from './route.js';

type Asker = Pick<RouteInput<unknown, unknown, unknown>, 'principal'>;

/**
 * Returns the caller's principal in the project of `/projects/:id/…`. Owners may act in every project of their account,
 * keys and customers only in their own. Pass the result on: `input.call.with({ principal })`.
 *
 * @param thing named in the 404 that hides another account's project
 * @throws AppError NOT_FOUND
 */
export async function requireProject(
  ctx: Pick<Context, 'directory'>,
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

/**
 * Returns the principal of an owner's session that acts in one project as its secret key would, for the customer that
 * `X-Service-Customer-Id` names. Keeps the user's id for the audit log.
 *
 * @throws AppError NOT_FOUND; INVALID_INPUT for an empty header
 */
export async function actInProject(
  ctx: Pick<Context, 'customers' | 'directory' | 'revocations'>,
  owner: Principal,
  projectId: string,
  headers: IncomingHttpHeaders,
): Promise<Principal> {
  const inProject = await requireProject(ctx, { principal: owner }, projectId);
  const acting = create(PrincipalSchema, { ...inProject, kind: PrincipalKind.SECRET_KEY });
  const customerId = headers['x-service-customer-id'];
  if (customerId === undefined) return acting;
  return principalForCustomer(acting, await findNamedCustomer(ctx, acting, String(customerId)));
}

/** Returns the settings of the principal's project, for example whether publishable keys may claim customers. */
export async function requireProjectInfo(ctx: Pick<Context, 'directory'>, principal: Principal): Promise<ProjectInfo> {
  const facts = await findProject(ctx, principal.projectId);
  if (!facts) throw notFound('project');
  return facts;
}

/** Returns the project's markup on catalog prices, in percent. Reads the database: cached settings may be stale. */
export async function readMarkup(ctx: Pick<Context, 'pool'>, { accountId, projectId }: Principal): Promise<number> {
  const project = await readProject(ctx.pool, accountId, projectId);
  if (!project) throw notFound('project');
  return project.markupPercentage;
}

async function findProject(ctx: Pick<Context, 'directory'>, id: string): Promise<ProjectInfo | undefined> {
  if (!isLowerCaseUuid(id)) return undefined;
  return ctx.directory.project(id);
}

function notFound(thing: string): AppError {
  return new AppError('NOT_FOUND', `${thing} not found`);
}
