import { endpoints } from '../../server/endpoints.js';
import {
  acceptInvitation,
  createInvitation,
  listInvitations,
  previewInvitation,
  resendInvitation,
  revokeInvitation,
} from './invitations.js';
import { leaveProject, listMembers, removeMember, updateMember } from './members.js';

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
