import type { InvitationRecord, MemberRecord } from '@tollgate/api/identity';
import type { Invitation } from '../../../store/members/invitations.js';
import type { Member } from '../../../store/members/members.js';

export function memberJson(member: Member): MemberRecord {
  return {
    user_id: member.userId,
    email: member.email,
    role: member.role,
    account_owner: member.isAccountOwner,
    joined_at: member.joinedAt.toISOString(),
  };
}

export function invitationJson(invitation: Invitation, url?: string): InvitationRecord {
  return {
    id: invitation.id,
    email: invitation.email,
    role: invitation.role,
    invited_by: invitation.invitedBy,
    created_at: invitation.createdAt.toISOString(),
    expires_at: invitation.expiresAt.toISOString(),
    ...(url !== undefined && { url }),
  };
}
