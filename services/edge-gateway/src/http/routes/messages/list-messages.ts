import {
  isSearch,
  listMessagesQuery,
  listMessagesResponse,
  readMessagePlace,
  toMessagePlace,
} from '@tollgate/api/state';
import { nextCursor } from '@tollgate/api/values';
import { defineRoute } from '../../exchange/route.js';
import { messageJson } from './render.js';
import { runOwners } from './run-owners.js';

export const listMessages = defineRoute({
  method: 'GET',
  path: '/messages',
  tag: 'Messages',
  summary: 'List messages of a mailbox or a thread, oldest first, or search all, newest first',
  operationId: 'listMessages',
  description:
    'Name the mailbox or the thread in the query. `sort=-created_at` lists all mailboxes, newest first. `next_cursor` belongs to `cursor`: messages that are read between two pages of unread ones move no other.',
  auth: ['secret_key', 'owner', 'customer'],
  query: listMessagesQuery,
  success: { status: 200, schema: listMessagesResponse },
  async handler({ query, call }, ctx) {
    const { to = '', thread_id: threadId = '', unread, limit } = query;
    const runs = await runOwners(ctx, [to], call);
    const request = { to, threadId, unread, limit, runs, fromClient: true };
    if (isSearch(query)) {
      const { from = '', customer_id: customerId = '', cursor = '' } = query;
      const search = { ...request, from, customerId, cursor };
      const found = await ctx.clients.messaging.searchMessages(search, call);
      return { body: { messages: found.messages.map(messageJson), next_cursor: found.nextCursor || undefined } };
    }
    const place = readMessagePlace(query);
    const page = await ctx.clients.messaging.listMessages({ ...request, ...place }, call);
    const messages = page.messages.map(messageJson);
    if (page.nextCursor) return { body: { messages, next_cursor: toMessagePlace(page.nextCursor) } };
    // Earlier versions of the service know offsets only.
    return { body: { messages, ...nextCursor(place.offset, messages.length, page.hasMore) } };
  },
});
