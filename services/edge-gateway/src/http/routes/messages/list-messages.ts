import { listMessagesQuery, listMessagesResponse } from '@tollgate/api/state';
import { nextCursor } from '@tollgate/api/values';
import { defineRoute } from '../../exchange/route.js';
import { messageJson } from './render.js';
import { runOwners } from './run-owners.js';

export const listMessages = defineRoute({
  method: 'GET',
  path: '/messages',
  tag: 'Messages',
  summary: 'List messages of a mailbox or a thread, oldest first',
  operationId: 'listMessages',
  description: 'Name the mailbox or the thread in the query.',
  auth: ['secret_key', 'owner', 'customer'],
  query: listMessagesQuery,
  success: { status: 200, schema: listMessagesResponse },
  async handler({ query, call }, ctx) {
    const { to = '', thread_id: threadId = '', unread, limit, offset } = query;
    const runs = await runOwners(ctx, [to], call);
    const request = { to, threadId, unread, limit, offset, runs, fromClient: true };
    const page = await ctx.clients.messaging.listMessages(request, call);
    const messages = page.messages.map(messageJson);
    return { body: { messages, ...nextCursor(offset, messages.length, page.hasMore) } };
  },
});
