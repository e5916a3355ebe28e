import { hasPermission, mayAssign, type Role } from '@tollgate/api/identity';
import { AppError } from '@tollgate/errors';
import { type Tx, withTransaction } from '@tollgate/postgres';
import type { Context } from '../../context.js';
import { deleteMember, findMember, lockProject, type Member, updateMemberRole } from '../../store/members/members.js';

type Parts = Pick<Context, 'directory' | 'pool'>;

export interface MemberChange {
  projectId: string;
  userId: string;
  /** The user who asks. */
  actorId: string;
}

/** @throws AppError NOT_FOUND; CONFLICT for the project's own account; FORBIDDEN when an admin makes or changes an owner */
export async function changeMemberRole(ctx: Parts, change: MemberChange, role: Role): Promise<Member> {
  const member = await changeMember(ctx, change, async (tx, found) => {
    await requireManager(tx, change.projectId, change.actorId, found.role, role);
    await updateMemberRole(tx, change.projectId, change.userId, role);
  });
  return { ...member, role };
}

/** @throws AppError NOT_FOUND; CONFLICT for the project's own account; FORBIDDEN when an admin removes an owner */
export async function removeMember(ctx: Parts, change: MemberChange): Promise<void> {
  await changeMember(ctx, change, async (tx, found) => {
    await requireManager(tx, change.projectId, change.actorId, found.role);
    await deleteMember(tx, change.projectId, change.userId);
  });
}

/** Ends a user's membership at the user's request. @throws AppError CONFLICT for the project's own account */
export async function leaveProject(ctx: Parts, projectId: string, userId: string): Promise<void> {
  await changeMember(ctx, { projectId, userId }, (tx) => deleteMember(tx, projectId, userId));
}

/**
 * Checks that the user may give and take these roles now. Call it with the project locked: the role that let the request in
 * may be seconds old.
 *
 * @throws AppError NOT_FOUND without a membership; FORBIDDEN
 */
export async function requireManager(
  tx: Tx,
  projectId: string,
  actorId: string,
  ...affected: readonly Role[]
): Promise<void> {
  const actor = await findMember(tx, projectId, actorId);
  if (!actor) throw new AppError('NOT_FOUND', 'project not found');
  requireAssignable(actor.role, ...affected);
}

function requireAssignable(actor: Role, ...affected: readonly (Role | undefined)[]): void {
  if (mayAssign(actor, ...affected)) return;
  if (!hasPermission(actor, 'members.manage')) {
    throw new AppError(
      'FORBIDDEN',
      `your role in this project is ${actor}, which does not permit this; ask an owner of it`,
    );
  }
  throw new AppError('FORBIDDEN', 'only an owner of the project may make, change or remove owners');
}

/** Changes of one project's members happen one after another. The edge that made them applies them at once. */
async function changeMember(
  ctx: Parts,
  { projectId, userId }: Pick<MemberChange, 'projectId' | 'userId'>,
  change: (tx: Tx, member: Member) => Promise<void>,
): Promise<Member> {
  const member = await withTransaction(ctx.pool, async (tx) => {
    await lockProject(tx, projectId);
    const found = await findMember(tx, projectId, userId);
    if (!found) throw new AppError('NOT_FOUND', 'member not found');
    if (found.isAccountOwner) {
      throw new AppError('CONFLICT', 'users of the account that owns the project cannot be changed or removed');
    }
    await change(tx, found);
    return found;
  });
  ctx.directory.forgetMember(projectId, userId);
  return member;
}
