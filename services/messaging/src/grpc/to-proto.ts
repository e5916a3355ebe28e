import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { MailboxSchema, MessageSchema } from '@tollgate/contracts/messaging/v1/messaging_pb.js';
import type { Mailbox } from '../domain/mailbox.js';
import type { Message } from '../domain/message.js';

export function toProto(message: Message): MessageInitShape<typeof MessageSchema> {
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

export function toMailboxProto(mailbox: Mailbox): MessageInitShape<typeof MailboxSchema> {
  const { address, unreadCount, lastMessageAt, lastSubject } = mailbox;
  return { address, unreadCount, lastMessageAt: timestampFromDate(lastMessageAt), lastSubject };
}
