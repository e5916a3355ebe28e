import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { Mailbox, Message } from '@tollgate/contracts/messaging/v1/messaging_pb.js';
import { parseExactJson } from '@tollgate/runtime';

export function messageJson(message: Message | undefined) {
  const { id, projectId, customerId, from, to, subject, bodyJson, threadId, readAt, createdAt } = message!;
  return {
    id,
    project_id: projectId,
    customer_id: customerId || undefined,
    from,
    to,
    subject,
    body: parseExactJson(bodyJson),
    thread_id: threadId,
    read: readAt !== undefined,
    read_at: readAt && timestampDate(readAt).toISOString(),
    created_at: createdAt && timestampDate(createdAt).toISOString(),
  };
}

export function mailboxJson({ address, unreadCount, lastMessageAt, lastSubject }: Mailbox) {
  return {
    address,
    unread_count: unreadCount,
    last_message_at: lastMessageAt && timestampDate(lastMessageAt).toISOString(),
    last_subject: lastSubject,
  };
}
