import { listMailboxesQuery, listMailboxesResponse } from '@tollgate/api/state';
import { defineRoute } from '../../exchange/route.js';
import { mailboxJson } from './render.js';

export const listMailboxes = defineRoute({
  method: 'GET',
  path: '/mailboxes',
  tag: 'Messages',
  summary: 'List the mailboxes that received messages, by address',
  operationId: 'listMailboxes',
  description: 'Each entry has the number of unread messages, up to 1,000, and the newest message.',
  auth: ['secret_key', 'owner', 'customer'],
  query: listMailboxesQuery,
  success: { status: 200, schema: listMailboxesResponse },
  async handler({ query, call }, ctx) {
    const { unread, limit, cursor = '' } = query;
    const request = { unread, limit, cursor, fromClient: true };
    const page = await ctx.clients.messaging.listMailboxes(request, call);
    return { body: { mailboxes: page.mailboxes.map(mailboxJson), next_cursor: page.nextCursor || undefined } };
  },
});
