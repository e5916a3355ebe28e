import { appendSessionMessageBody, sessionMessageSchema } from '@tollgate/api/state';
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
  async handler({ params, body, call }, ctx) {
    const { role, content, run_id } = body;
    const request = { id: params.id, role, contentJson: JSON.stringify(content), runId: run_id ?? '' };
    const { message } = await ctx.clients.sessions.appendSessionMessage(request, call);
    return { status: 201, body: sessionMessageJson(message) };
  },
});
