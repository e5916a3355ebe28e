import { MessagingService } from '@tollgate/contracts/messaging/v1/messaging_pb.js';
import { type Registration, register } from '@tollgate/rpc';
import type { Context } from '../context.js';
import { getMessage } from '../operations/get-message.js';
import { listMessages } from '../operations/list-messages.js';
import { markMessageRead } from '../operations/mark-message-read.js';
import { readInbox } from '../operations/read-inbox.js';
import { sendMessage } from '../operations/send-message.js';
import { toProto } from './to-proto.js';
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
      const { to, threadId, unread, limit, offset, runs } = req;
      const page = await listMessages(ctx, toScope(call, req), {
        to: to || undefined,
        threadId: threadId || undefined,
        unreadOnly: unread,
        limit,
        offset,
        runs: toRunOwners(runs),
      });
      return { messages: page.messages.map(toProto), hasMore: page.hasMore };
    },
    async getMessage(req, call) {
      return { message: toProto(await getMessage(ctx, toScope(call, req), req.id)) };
    },
    async markMessageRead(req, call) {
      await markMessageRead(ctx, toScope(call, req), req.id);
      return {};
    },
    async readInbox({ address, limit, runs, dedupeKey }, call) {
      const command = { address, limit, runs: toRunOwners(runs), dedupeKey: dedupeKey || undefined };
      const messages = await readInbox(ctx, toScope(call), command);
      return { messages: messages.map(toProto) };
    },
  });
}
