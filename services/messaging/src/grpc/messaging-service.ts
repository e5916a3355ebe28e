import { MessagingService } from '@tollgate/contracts/messaging/v1/messaging_pb.js';
import { AppError } from '@tollgate/errors';
import { type Registration, register } from '@tollgate/rpc';
import type { Context } from '../context.js';
import { listMailboxes } from '../operations/list-mailboxes.js';
import { listMessages } from '../operations/list-messages.js';
import { readInbox } from '../operations/read-inbox.js';
import { searchMessages } from '../operations/search-messages.js';
import { sendMessage } from '../operations/send-message.js';
import { findMessage, setMessageRead } from '../store/messages.js';
import { toMailboxProto, toProto } from './to-proto.js';
import { toRunOwners, toScope } from './to-scope.js';

export function messagingService(ctx: Context): Registration {
  return register(MessagingService, {
    async sendMessage(req, call) {
      const { to, from, subject, bodyJson, threadId, runs, dedupeKey } = req;
      const message = await sendMessage(ctx, toScope(call, req), {
        to,
        from: from || undefined,
        subject,
        bodyJson,
        threadId: threadId || undefined,
        runs: toRunOwners(runs),
        dedupeKey: dedupeKey || undefined,
      });
      return { message: toProto(message) };
    },
    async listMessages(req, call) {
      const { to, threadId, unread, limit, offset, cursor, runs } = req;
      const page = await listMessages(ctx, toScope(call, req), {
        to: to || undefined,
        threadId: threadId || undefined,
        unreadOnly: unread,
        limit,
        offset,
        cursor: cursor || undefined,
        runs: toRunOwners(runs),
      });
      const { hasMore, nextCursor = '' } = page;
      return { messages: page.messages.map(toProto), hasMore, nextCursor };
    },
    async searchMessages(req, call) {
      const { to, from, threadId, customerId, unread, limit, cursor, runs } = req;
      const page = await searchMessages(ctx, toScope(call, req), {
        to: to || undefined,
        from: from || undefined,
        threadId: threadId || undefined,
        customerId: customerId || undefined,
        unreadOnly: unread,
        limit,
        cursor: cursor || undefined,
        runs: toRunOwners(runs),
      });
      return { messages: page.messages.map(toProto), nextCursor: page.nextCursor ?? '' };
    },
    async listMailboxes(req, call) {
      const { unread, limit, cursor } = req;
      const query = { unreadOnly: unread, limit, cursor: cursor || undefined };
      const page = await listMailboxes(ctx, toScope(call, req), query);
      return { mailboxes: page.mailboxes.map(toMailboxProto), nextCursor: page.nextCursor ?? '' };
    },
    async getMessage(req, call) {
      const message = await findMessage(ctx.pool, toScope(call, req), req.id);
      if (!message) throw notFound();
      return { message: toProto(message) };
    },
    async markMessageRead(req, call) {
      if (!(await setMessageRead(ctx.pool, toScope(call, req), req.id, ctx.clock.now()))) throw notFound();
      return {};
    },
    async readInbox({ address, limit, runs, dedupeKey }, call) {
      const command = { address, limit, runs: toRunOwners(runs), dedupeKey: dedupeKey || undefined };
      const messages = await readInbox(ctx, toScope(call), command);
      return { messages: messages.map(toProto) };
    },
  });
}

/** The same error for an unknown message and for one outside the scope. */
function notFound(): AppError {
  return new AppError('NOT_FOUND', 'message not found');
}
