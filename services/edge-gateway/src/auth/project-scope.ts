import type { IncomingHttpHeaders } from 'node:http';
import { hasPermission, type Role } from '@tollgate/api/identity';
import { createMessage } from '@tollgate/contracts/codec';
import { type Principal, PrincipalKind, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { isLowerCaseUuid } from '@tollgate/runtime/uuid';
import type { Context } from '../context.js';
import type { ProjectInfo } from '../domain/identity.js';
import { findPermission } from '../domain/members/operation-permissions.js';
import { principalForCustomer, principalInProject } from '../domain/principal.js';
import type { RouteInput } from '../http/exchange/route.js';
import type { RouteDoc } from '../http/exchange/route-doc.js';
import { findKeyIssuer } from '../operations/api-keys/find-key-issuer.js';
import { findProject as readProject } from '../store/projects.js';
import { findNamedCustomer } from './authenticate.js';

type Asker = Pick<RouteInput<unknown, unknown, unknown>, 'principal'>;

/**
 * Returns the principal of an owner's session in the project of `/projects/:id/…`, if the user's role there permits the
 * endpoint. The only place that lets a user into a project of another account: elsewhere its principal has its own account.
 *
 * @throws AppError NOT_FOUND without a membership; FORBIDDEN
 */
export async function enterProject(
  ctx: Pick<Context, 'directory'>,
  owner: Principal,
  route: Pick<RouteDoc, 'method' | 'path'>,
  projectId: string,
): Promise<Principal> {
  const facts = await findProject(ctx, projectId.toLowerCase());
  const role = facts && (await findRole(ctx, owner, facts));
  if (!facts || !role) throw notFound(nameThing(route.path));
  if (role === 'owner') return principalInProject(owner, facts);
  const permission = findPermission(route);
  if (permission === undefined || !hasPermission(role, permission)) {
    throw new AppError(
      'FORBIDDEN',
      `your role in this project is ${role}, which does not permit this; ask an owner of it`,
    );
  }
  return principalInProject(owner, facts);
}

/** A hook of another account gets the same answer as a hook that does not exist. */
function nameThing(path: string): string {
  if (path.startsWith('/projects/:id/tool-hooks/:')) return 'tool hook';
  if (path.startsWith('/projects/:id/mcp-servers/:')) return 'MCP server';
  if (path.startsWith('/projects/:id/connections/:')) return 'connection';
  return path.startsWith('/projects/:id/webhooks/:') ? 'webhook' : 'project';
}

/** Returns the role of an owner's session in the project that it acts in. @throws AppError NOT_FOUND */
export async function requireRole(ctx: Pick<Context, 'directory'>, principal: Principal): Promise<Role> {
  const facts = await findProject(ctx, principal.projectId);
  const role = facts && (await findRole(ctx, principal, facts));
  if (!role) throw notFound('project');
  return role;
}

/** The users of a project's account are its owners. */
async function findRole(
  ctx: Pick<Context, 'directory'>,
  { userId }: Principal,
  { projectId, accountId }: ProjectInfo,
): Promise<Role | undefined> {
  if (await isOwnAccount(ctx, userId, accountId)) return 'owner';
  return (await ctx.directory.member(projectId, userId))?.role;
}

/**
 * Whether the caller may not see figures of the whole account: a user who acts in a project of another account, in any
 * role, or a key that such a user created or rotated. A key whose user is unknown is limited too.
 */
export async function isLimitedToProject(
  ctx: Pick<Context, 'directory' | 'pool'>,
  { userId, keyId, accountId }: Principal,
): Promise<boolean> {
  const user = userId === '' ? await findKeyIssuer(ctx, keyId) : userId;
  return user === undefined || !(await isOwnAccount(ctx, user, accountId));
}

async function isOwnAccount(ctx: Pick<Context, 'directory'>, userId: string, accountId: string): Promise<boolean> {
  return (await ctx.directory.owner(userId))?.project.accountId === accountId;
}

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
  // A member's principal has the account of its project, but may not leave that project.
  if (!facts || !(await isOwnAccount(ctx, principal.userId, facts.accountId))) throw notFound(thing);
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
  const acting = createMessage(PrincipalSchema, { ...inProject, kind: PrincipalKind.SECRET_KEY });
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
