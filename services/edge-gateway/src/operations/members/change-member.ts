import { mayAssign, type Role } from '@tollgate/api/identity';
import { AppError } from '@tollgate/errors';
import { type Tx, withTransaction } from '@tollgate/postgres';
import type { Context } from '../../context.js';
import { deleteMember, findMember, lockProject, type Member, updateMemberRole } from '../../store/members/members.js';

type Parts = Pick<Context, 'directory' | 'pool'>;

export interface MemberChange {
  projectId: string;
  userId: string;
  /** Role of the user who asks. */
  actorRole: Role;
}

/** @throws AppError NOT_FOUND; CONFLICT for the project's own account; FORBIDDEN when an admin makes or changes an owner */
export async function changeMemberRole(ctx: Parts, change: MemberChange, role: Role): Promise<Member> {
  const member = await changeMember(ctx, change, async (tx, found) => {
    requireAssignable(change.actorRole, found.role, role);
    await updateMemberRole(tx, change.projectId, change.userId, role);
  });
  return { ...member, role };
}

/** @throws AppError NOT_FOUND; CONFLICT for the project's own account; FORBIDDEN when an admin removes an owner */
export async function removeMember(ctx: Parts, change: MemberChange): Promise<void> {
  await changeMember(ctx, change, async (tx, found) => {
    requireAssignable(change.actorRole, found.role);
    await deleteMember(tx, change.projectId, change.userId);
  });
}

/** Ends a user's membership at the user's request. @throws AppError CONFLICT for the project's own account */
export async function leaveProject(ctx: Parts, projectId: string, userId: string): Promise<void> {
  await changeMember(ctx, { projectId, userId }, (tx) => deleteMember(tx, projectId, userId));
}

/** @throws AppError FORBIDDEN */
export function requireAssignable(actor: Role, ...affected: readonly (Role | undefined)[]): void {
  if (mayAssign(actor, ...affected)) return;
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
      throw new AppError('CONFLICT', 'a project always belongs to its account, which is the last owner');
    }
    await change(tx, found);
    return found;
  });
  ctx.directory.forgetMember(projectId, userId);
  return member;
}
