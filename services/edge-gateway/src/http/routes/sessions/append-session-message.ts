import { appendSessionMessageBody, sessionMessageSchema } from '@tollgate/api/state';
import { readMember } from '../../../domain/json-members.js';
import { defineRoute } from '../../exchange/route.js';
import { sessionParams } from './params.js';
import { sessionMessageJson } from './render.js';

export const appendSessionMessage = defineRoute({
  method: 'POST',
  path: '/sessions/:id/messages',
  tag: 'Sessions',
  summary: 'Append a message to a session',
  operationId: 'appendSessionMessage',
  description: 'Messages keep the order in which they are appended.',
  auth: ['secret_key', 'owner', 'customer'],
  params: sessionParams,
  body: appendSessionMessageBody,
  bodyClass: 'documents',
  success: { status: 201, schema: sessionMessageSchema },
  idempotent: true,
  async handler({ params, body, rawBody, call }, ctx) {
    const { role, run_id } = body;
    const request = { id: params.id, role, contentJson: readMember(rawBody, 'content'), runId: run_id ?? '' };
    const { message } = await ctx.clients.sessions.appendSessionMessage(request, call);
    return { status: 201, body: sessionMessageJson(message) };
  },
});
