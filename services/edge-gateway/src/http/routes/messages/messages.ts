import {
  isSearch,
  listMailboxesQuery,
  listMailboxesResponse,
  listMessagesQuery,
  listMessagesResponse,
  mailboxSchema,
  messageSchema,
  readAgentSlug,
  readMessagePlace,
  sendMessageBody,
  toMessagePlace,
} from '@tollgate/api/state';
import { nextCursor } from '@tollgate/api/values';
import type { Mailbox, Message } from '@tollgate/contracts/messaging/v1/messaging_pb.js';
import type { Call } from '@tollgate/rpc';
import { parseExactJson } from '@tollgate/runtime';
import { isUuid } from '@tollgate/runtime/uuid';
import { z } from 'zod';
import type { Context } from '../../../context.js';
import { hashJson, idempotencyScope } from '../../../domain/idempotency.js';
import { readMember } from '../../../domain/json-members.js';
import { readIdempotencyKey } from '../../exchange/idempotency-key.js';
import { defineRoute } from '../../exchange/route.js';
import { toJson } from '../to-json.js';

const messageParams = z.object({ message_id: z.string() });

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

export const getMessage = defineRoute({
  method: 'GET',
  path: '/messages/:message_id',
  tag: 'Messages',
  summary: 'Get a message',
  operationId: 'getMessage',
  description: 'Returns the message with its body.',
  auth: ['secret_key', 'owner', 'customer'],
  params: messageParams,
  success: { status: 200, schema: messageSchema },
  async handler({ params, call }, ctx) {
    const { message } = await ctx.clients.messaging.getMessage({ id: params.message_id, fromClient: true }, call);
    return { body: messageJson(message) };
  },
});

export const markMessageRead = defineRoute({
  method: 'POST',
  path: '/messages/:message_id/read',
  tag: 'Messages',
  summary: 'Mark a message as read; idempotent',
  operationId: 'markMessageRead',
  description: 'A message that is read already stays as it is.',
  auth: ['secret_key', 'owner', 'customer'],
  params: messageParams,
  success: { status: 204 },
  async handler({ params, call }, ctx) {
    await ctx.clients.messaging.markMessageRead({ id: params.message_id, fromClient: true }, call);
    return { status: 204 };
  },
});

function messageJson(message: Message | undefined) {
  const { bodyJson, readAt } = message!;
  return toJson(messageSchema, message!, { body: parseExactJson(bodyJson), read: readAt !== undefined });
}

function mailboxJson(mailbox: Mailbox) {
  return toJson(mailboxSchema, mailbox, {});
}

const RUN_PREFIX = /^run:/i;

interface RunOwner {
  runId: string;
  customerId: string;
}

/**
 * Checks that the caller may access the runs among some addresses, because messaging does not know runs. An
 * inaccessible run counts as missing.
 *
 * @throws AppError NOT_FOUND
 */
async function runOwners(
  ctx: Pick<Context, 'clients'>,
  addresses: (string | undefined)[],
  call: Call,
): Promise<RunOwner[]> {
  const runIds = new Set(addresses.flatMap((address) => toRunId(address ?? '') ?? []));
  return Promise.all(
    [...runIds].map(async (runId) => {
      const { run } = await ctx.clients.workflow.getRun({ runId }, call);
      return { runId, customerId: run?.customerId ?? '' };
    }),
  );
}

/** Returns the id in a run's address, in lower case, as the engine compares it. */
function toRunId(address: string): string | undefined {
  const id = address.replace(RUN_PREFIX, '');
  return id !== address && isUuid(id) ? id.toLowerCase() : undefined;
}
