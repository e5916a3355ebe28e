import { mayAssign } from '@tollgate/api/identity';
import { AppError } from '@tollgate/errors';
import { type Queryable, withTransaction } from '@tollgate/postgres';
import type { Context } from '../../context.js';
import { hashOneTimeCode } from '../../domain/members/one-time-code.js';
import { deleteInvitation, findOpenInvitation, type OpenInvitation } from '../../store/members/invitations.js';
import { findMember, insertMember, lockProject } from '../../store/members/members.js';
import { deleteOneTimeCodes, findCodeSubject } from '../../store/members/one-time-codes.js';
import { findUser } from '../../store/users.js';

/** Returns the invitation of a link. @throws AppError NOT_FOUND if it was accepted, revoked or has expired */
export async function readInvitation(ctx: Pick<Context, 'clock' | 'pool'>, code: string): Promise<OpenInvitation> {
  return requireInvitation(ctx.pool, code, ctx.clock.now());
}

/**
 * Makes the signed-in user a member. The link is for one address: it does not work for the user of another one.
 *
 * @throws AppError NOT_FOUND, FORBIDDEN, CONFLICT
 */
export async function acceptInvitation(
  ctx: Pick<Context, 'clock' | 'directory' | 'pool'>,
  userId: string,
  code: string,
): Promise<OpenInvitation> {
  const createdAt = ctx.clock.now();
  const accepted = await withTransaction(ctx.pool, async (tx) => {
    const invitation = await requireInvitation(tx, code, createdAt);
    const { id, projectId, role } = invitation;
    const user = await findUser(tx, userId);
    if (user?.emailKey !== invitation.emailKey) {
      throw new AppError('FORBIDDEN', `this invitation is for ${invitation.email}; sign in with that address`);
    }
    await lockProject(tx, projectId);
    // The inviter was removed or may no longer give this role.
    const inviter = await findMember(tx, projectId, invitation.invitedBy);
    if (!inviter || !mayAssign(inviter.role, role)) throw ended();
    if (await findMember(tx, projectId, userId))
      throw new AppError('CONFLICT', 'you are already a member of this project');
    // Another request has accepted or an admin has revoked the invitation.
    if (!(await deleteInvitation(tx, projectId, id))) throw ended();
    await deleteOneTimeCodes(tx, 'invitation', id);
    await insertMember(tx, { projectId, userId, role, createdAt });
    return invitation;
  });
  ctx.directory.forgetMember(accepted.projectId, userId);
  return accepted;
}

async function requireInvitation(db: Queryable, code: string, at: Date): Promise<OpenInvitation> {
  const id = await findCodeSubject(db, hashOneTimeCode(code), 'invitation', at);
  const invitation = id === undefined ? undefined : await findOpenInvitation(db, id, at);
  if (!invitation) throw ended();
  return invitation;
}

function ended(): AppError {
  return new AppError('NOT_FOUND', 'the invitation was accepted or revoked, or has expired; ask for another one');
}
