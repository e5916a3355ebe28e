import { messageSchema, readAgentSlug, sendMessageBody } from '@tollgate/api/state';
import { hashJson, idempotencyScope } from '../../../domain/idempotency.js';
import { readMember } from '../../../domain/json-members.js';
import { readIdempotencyKey } from '../../exchange/idempotency-key.js';
import { defineRoute } from '../../exchange/route.js';
import { messageJson } from './render.js';
import { runOwners } from './run-owners.js';

export const sendMessage = defineRoute({
  method: 'POST',
  path: '/messages',
  tag: 'Messages',
  summary: 'Send a message to an agent or a run',
  operationId: 'sendMessage',
  description:
    'Addresses are `agent:<slug>@<project id>` and `run:<run id>`. A recipient that does not exist answers 404; `agent:api@<project id>` always exists. `thread_id` continues a thread.',
  auth: ['secret_key', 'owner', 'customer'],
  body: sendMessageBody,
  success: { status: 201, schema: messageSchema },
  refusals: [409],
  idempotent: true,
  async handler({ body, rawBody, call, headers, principal }, ctx) {
    const { to, from = '', subject, thread_id: threadId = '' } = body;
    const runs = await runOwners(ctx, [to, from], call);
    // Messaging does not know agents, and a message to a misspelled one would never be read.
    const slug = readAgentSlug(to);
    if (slug !== undefined) await ctx.clients.agents.resolveAgent({ by: { case: 'reference', value: slug } }, call);
    const key = readIdempotencyKey(headers);
    // A repeat finds the message even when the first response was lost.
    const dedupeKey =
      key === undefined ? '' : `${idempotencyScope(principal)}/${key}/${hashJson(body).toString('hex')}`;
    const bodyJson = readMember(rawBody, 'body');
    const request = { to, from, subject, bodyJson, threadId, runs, dedupeKey, fromClient: true };
    const { message } = await ctx.clients.messaging.sendMessage(request, call);
    return { status: 201, body: messageJson(message) };
  },
});
