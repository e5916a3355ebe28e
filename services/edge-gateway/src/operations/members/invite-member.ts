import { randomBytes, randomUUID } from 'node:crypto';
import type { Role } from '@tollgate/api/identity';
import { AppError } from '@tollgate/errors';
import { type Tx, withTransaction } from '@tollgate/postgres';
import type { Context } from '../../context.js';
import { emailKey } from '../../domain/email.js';
import { formatOneTimeCode, hashOneTimeCode, INVITATION_TTL_MS } from '../../domain/members/one-time-code.js';
import { countMailsLocked } from '../../store/mails.js';
import {
  deleteInvitation,
  extendInvitation,
  type Invitation,
  insertInvitation,
  lockInvitation,
} from '../../store/members/invitations.js';
import { countMembers, findMemberByEmailKey, lockProject } from '../../store/members/members.js';
import { deleteOneTimeCodes, insertOneTimeCode } from '../../store/members/one-time-codes.js';
import { queueMail } from '../mail/queue-mail.js';
import { requireManager } from './change-member.js';

/** Of one project; bounds its lists and the mails that it causes. */
const MEMBERS_MAX = 500;

/** To one address, from all projects. */
const MAILS_PER_DAY_MAX = 5;
const DAY_MS = 86_400_000;

export interface SentInvitation {
  invitation: Invitation;
  /** The secret of the link. */
  code: string;
}

type Parts = Pick<Context, 'clock' | 'mailer' | 'pool'>;

/** Invites an address to a project. @throws AppError NOT_FOUND, FORBIDDEN, CONFLICT */
export async function inviteMember(
  ctx: Parts,
  input: { projectId: string; invitedBy: string; email: string; role: Role },
  baseUrl: string,
): Promise<SentInvitation> {
  const createdAt = ctx.clock.now();
  const expiresAt = new Date(createdAt.getTime() + INVITATION_TTL_MS);
  const invitation = { id: randomUUID(), ...input, emailKey: emailKey(input.email), createdAt, expiresAt };
  return withTransaction(ctx.pool, async (tx) => {
    await requireLocked(tx, invitation.projectId);
    await requireManager(tx, invitation.projectId, invitation.invitedBy, invitation.role);
    await requireRoom(tx, invitation);
    if (!(await insertInvitation(tx, invitation))) {
      throw new AppError('CONFLICT', 'this address has an open invitation; resend or revoke it');
    }
    await queueInvitation(ctx, tx, invitation, baseUrl);
    return { invitation, code: await issueCode(tx, invitation) };
  });
}

async function requireLocked(tx: Tx, projectId: string): Promise<void> {
  if (!(await lockProject(tx, projectId))) throw new AppError('NOT_FOUND', 'project not found');
}

async function requireRoom(tx: Tx, { projectId, emailKey: key }: Invitation): Promise<void> {
  if (await findMemberByEmailKey(tx, projectId, key)) {
    throw new AppError('CONFLICT', 'this address belongs to a member of the project; change its role instead');
  }
  if ((await countMembers(tx, projectId)) >= MEMBERS_MAX) {
    throw new AppError('CONFLICT', `a project has at most ${MEMBERS_MAX} members and invitations; remove one first`);
  }
}

export interface InvitationChange {
  projectId: string;
  /** The invitation. */
  id: string;
  /** The user who asks. */
  actorId: string;
}

/** Replaces the link of an invitation, its expiry and its sender. @throws AppError NOT_FOUND, FORBIDDEN */
export async function resendInvitation(ctx: Parts, change: InvitationChange, baseUrl: string): Promise<SentInvitation> {
  const { id, actorId: invitedBy } = change;
  const expiresAt = new Date(ctx.clock.nowMs() + INVITATION_TTL_MS);
  return withTransaction(ctx.pool, async (tx) => {
    const invitation = { ...(await lockManaged(tx, change)), invitedBy, expiresAt };
    await extendInvitation(tx, id, { invitedBy, expiresAt });
    await deleteOneTimeCodes(tx, 'invitation', id);
    await queueInvitation(ctx, tx, invitation, baseUrl);
    return { invitation, code: await issueCode(tx, invitation) };
  });
}

/** Ends an invitation and its links. @throws AppError NOT_FOUND, FORBIDDEN */
export async function revokeInvitation(ctx: Pick<Context, 'pool'>, change: InvitationChange): Promise<void> {
  await withTransaction(ctx.pool, async (tx) => {
    const { projectId, id } = await lockManaged(tx, change);
    await deleteInvitation(tx, projectId, id);
    await deleteOneTimeCodes(tx, 'invitation', id);
  });
}

/** Locks the project and an invitation that the user may send or revoke. */
async function lockManaged(tx: Tx, { projectId, id, actorId }: InvitationChange): Promise<Invitation> {
  await requireLocked(tx, projectId);
  const invitation = await lockInvitation(tx, projectId, id);
  await requireManager(tx, projectId, actorId, ...(invitation ? [invitation.role] : []));
  if (!invitation) throw new AppError('NOT_FOUND', 'invitation not found');
  return invitation;
}

/** Sends no mail to an address that has had enough of them: strangers cannot flood it. The sender has the link. */
async function queueInvitation(ctx: Parts, tx: Tx, invitation: Invitation, baseUrl: string): Promise<void> {
  const { id: subjectId, email: recipient, emailKey: key, expiresAt } = invitation;
  const since = new Date(ctx.clock.nowMs() - DAY_MS);
  if ((await countMailsLocked(tx, 'invitation', key, since)) >= MAILS_PER_DAY_MAX) return;
  await queueMail(ctx, tx, { kind: 'invitation', recipient, subjectId, baseUrl, expiresAt });
}

async function issueCode(tx: Tx, { id, expiresAt }: Invitation): Promise<string> {
  const code = formatOneTimeCode(randomBytes(32));
  await insertOneTimeCode(tx, { hash: hashOneTimeCode(code), kind: 'invitation', subjectId: id, expiresAt });
  return code;
}
