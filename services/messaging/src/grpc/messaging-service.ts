import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import {
  type MailboxSchema,
  type MessageSchema,
  MessagingService,
  type RunOwner,
} from '@tollgate/contracts/messaging/v1/messaging_pb.js';
import { AppError } from '@tollgate/errors';
import { type Call, type Registration, register } from '@tollgate/rpc';
import type { Context } from '../context.js';
import type { Mailbox } from '../domain/mailbox.js';
import type { Message } from '../domain/message.js';
import type { RunOwners, Scope } from '../domain/scope.js';
import { listMailboxes } from '../operations/addresses.js';
import { listMessages, readInbox, sendMessage } from '../operations/messages.js';
import { searchMessages } from '../operations/search-messages.js';
import { findMessage, setMessageRead } from '../store/messages.js';

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

/**
 * Returns the messages that the caller may access. Rejects a customer's principal without a customer, which would open the
 * whole project.
 */
function toScope(call: Call, { fromClient = false } = {}): Scope {
  const { kind, projectId, customerId } = call.requirePrincipal();
  if (kind === PrincipalKind.PUBLISHABLE_KEY) throw new AppError('FORBIDDEN', 'publishable keys cannot use messages');
  if (!projectId || (kind === PrincipalKind.CUSTOMER && !customerId)) {
    throw new AppError('UNAUTHORIZED', 'the credential has no project');
  }
  const isCustomerClient = fromClient && kind === PrincipalKind.CUSTOMER;
  return { projectId, customerId: customerId || undefined, isCustomerClient };
}

function toRunOwners(runs: RunOwner[]): RunOwners {
  return new Map(runs.map((run) => [run.runId.toLowerCase(), run.customerId || undefined]));
}

function toProto(message: Message): MessageInitShape<typeof MessageSchema> {
  const { id, projectId, customerId, from, to, subject, bodyJson, threadId, readAt, createdAt } = message;
  return {
    id,
    projectId,
    customerId: customerId ?? '',
    from,
    to,
    subject,
    bodyJson,
    threadId,
    createdAt: timestampFromDate(createdAt),
    ...(readAt && { readAt: timestampFromDate(readAt) }),
  };
}

function toMailboxProto(mailbox: Mailbox): MessageInitShape<typeof MailboxSchema> {
  const { address, unreadCount, lastMessageAt, lastSubject } = mailbox;
  return { address, unreadCount, lastMessageAt: timestampFromDate(lastMessageAt), lastSubject };
}
