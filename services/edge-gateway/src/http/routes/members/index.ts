import { endpoints } from '../../server/endpoints.js';
import { acceptInvitation } from './accept-invitation.js';
import { createInvitation } from './create-invitation.js';
import { leaveProject } from './leave-project.js';
import { listInvitations } from './list-invitations.js';
import { listMembers } from './list-members.js';
import { previewInvitation } from './preview-invitation.js';
import { removeMember } from './remove-member.js';
import { resendInvitation } from './resend-invitation.js';
import { revokeInvitation } from './revoke-invitation.js';
import { updateMember } from './update-member.js';

export const memberRouter = endpoints(
  listMembers,
  updateMember,
  removeMember,
  leaveProject,
  listInvitations,
  createInvitation,
  resendInvitation,
  revokeInvitation,
  previewInvitation,
  acceptInvitation,
);
