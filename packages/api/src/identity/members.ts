import { z } from 'zod';
import { cursorQuery } from '../values/paging.js';
import { storableText } from '../values/text.js';
import { emailAddress } from './auth.js';
import { roleSchema } from './role-schema.js';

export const memberSchema = z.object({
  user_id: z.guid(),
  email: z.string(),
  role: roleSchema,
  account_owner: z
    .boolean()
    .describe('belongs to the account of the project: always an owner, and cannot be changed or removed'),
  joined_at: z.iso.datetime(),
});

export const memberListQuery = z.object(cursorQuery(50, 200).shape);
export const memberListResponse = z.object({ members: z.array(memberSchema), next_cursor: z.string().optional() });
export const memberResponse = z.object({ member: memberSchema });

/** `PATCH /projects/{id}/members/{user_id}` */
export const updateMemberBody = z.object({ role: roleSchema });

export const invitationSchema = z.object({
  id: z.guid(),
  email: z.string(),
  role: roleSchema,
  invited_by: z.guid().describe('the user who invited'),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime().describe('until then the invitation can be accepted'),
  url: z.url().optional().describe('accepts the invitation; only in the answer that creates or resends it'),
});

export const invitationListResponse = z.object({
  invitations: z.array(invitationSchema),
  next_cursor: z.string().optional(),
});
export const invitationResponse = z.object({ invitation: invitationSchema });

/** `POST /projects/{id}/invitations` */
export const createInvitationBody = z.object({ email: emailAddress, role: roleSchema });

/** `POST /invitations/preview`, `POST /invitations/accept`: the code is the fragment of the link. */
export const invitationCodeBody = z.object({ code: storableText(128).min(1) });

export const invitationPreviewResponse = z.object({
  project: z.object({ name: z.string() }),
  email: z.string(),
  role: roleSchema,
  expires_at: z.iso.datetime(),
});

export const acceptInvitationResponse = z.object({
  project: z.object({ id: z.guid(), name: z.string() }),
  role: roleSchema,
});

export type MemberRecord = z.output<typeof memberSchema>;
export type InvitationRecord = z.output<typeof invitationSchema>;
