import { randomBytes, randomUUID } from 'node:crypto';
import type { Role } from '@tollgate/api/identity';
import { AppError } from '@tollgate/errors';
import { type Tx, withTransaction } from '@tollgate/postgres';
import type { Context } from '../../context.js';
import { emailKey } from '../../domain/email.js';
import { formatOneTimeCode, hashOneTimeCode, INVITATION_TTL_MS } from '../../domain/members/one-time-code.js';
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

/** Of one project; bounds its lists and the mails that it causes. */
const MEMBERS_MAX = 500;

export interface SentInvitation {
  invitation: Invitation;
  /** The secret of the link. */
  code: string;
}

type Parts = Pick<Context, 'clock' | 'mailer' | 'pool'>;

/** Invites an address to a project. @throws AppError NOT_FOUND, CONFLICT */
export async function inviteMember(
  ctx: Parts,
  input: { projectId: string; invitedBy: string; email: string; role: Role },
  baseUrl: string,
): Promise<SentInvitation> {
  const createdAt = ctx.clock.now();
  const expiresAt = new Date(createdAt.getTime() + INVITATION_TTL_MS);
  const invitation = { id: randomUUID(), ...input, emailKey: emailKey(input.email), createdAt, expiresAt };
  return withTransaction(ctx.pool, async (tx) => {
    await requireRoom(tx, invitation);
    if (!(await insertInvitation(tx, invitation))) {
      throw new AppError('CONFLICT', 'this address has an open invitation; resend or revoke it');
    }
    await queueInvitation(ctx, tx, invitation, baseUrl);
    return { invitation, code: await issueCode(tx, invitation) };
  });
}

async function requireRoom(tx: Tx, { projectId, emailKey: key }: Invitation): Promise<void> {
  if (!(await lockProject(tx, projectId))) throw new AppError('NOT_FOUND', 'project not found');
  if (await findMemberByEmailKey(tx, projectId, key)) {
    throw new AppError('CONFLICT', 'this address belongs to a member of the project; change its role instead');
  }
  if ((await countMembers(tx, projectId)) >= MEMBERS_MAX) {
    throw new AppError('CONFLICT', `a project has at most ${MEMBERS_MAX} members and invitations; remove one first`);
  }
}

/** Replaces the link of an invitation and its expiry. `check` may refuse its role. @throws AppError NOT_FOUND */
export async function resendInvitation(
  ctx: Parts,
  projectId: string,
  id: string,
  baseUrl: string,
  check: (role: Role) => void,
): Promise<SentInvitation> {
  const expiresAt = new Date(ctx.clock.nowMs() + INVITATION_TTL_MS);
  return withTransaction(ctx.pool, async (tx) => {
    const found = await lockInvitation(tx, projectId, id);
    if (!found) throw new AppError('NOT_FOUND', 'invitation not found');
    check(found.role);
    const invitation = { ...found, expiresAt };
    await extendInvitation(tx, id, expiresAt);
    await deleteOneTimeCodes(tx, 'invitation', id);
    await queueInvitation(ctx, tx, invitation, baseUrl);
    return { invitation, code: await issueCode(tx, invitation) };
  });
}

/** Ends an invitation and its links. @throws AppError NOT_FOUND */
export async function revokeInvitation(ctx: Pick<Context, 'pool'>, projectId: string, id: string): Promise<void> {
  await withTransaction(ctx.pool, async (tx) => {
    if (!(await deleteInvitation(tx, projectId, id))) throw new AppError('NOT_FOUND', 'invitation not found');
    await deleteOneTimeCodes(tx, 'invitation', id);
  });
}

function queueInvitation(ctx: Parts, tx: Tx, invitation: Invitation, baseUrl: string): Promise<void> {
  const { id: subjectId, email: recipient, expiresAt } = invitation;
  return queueMail(ctx, tx, { kind: 'invitation', recipient, subjectId, baseUrl, expiresAt });
}

async function issueCode(tx: Tx, { id, expiresAt }: Invitation): Promise<string> {
  const code = formatOneTimeCode(randomBytes(32));
  await insertOneTimeCode(tx, { hash: hashOneTimeCode(code), kind: 'invitation', subjectId: id, expiresAt });
  return code;
}
