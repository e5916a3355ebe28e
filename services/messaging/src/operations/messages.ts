import { randomUUID } from 'node:crypto';
import { AppError } from '@tollgate/errors';
import { withTransaction } from '@tollgate/postgres';
import { isUuid } from '@tollgate/runtime/uuid';
import type { Context } from '../context.js';
import { apiAddress, formatAddress } from '../domain/address.js';
import { BODY_BYTES_MAX, contentFault, type DeliveryRefusal, decideDelivery, type Message } from '../domain/message.js';
import type { RunOwners, Scope } from '../domain/scope.js';
import {
  findMessagePlace,
  findThreadStart,
  insertMessage,
  listTakenMessages,
  lockReadKey,
  listMessages as readPage,
  takeUnreadMessages,
} from '../store/messages.js';
import { cursorFault, openMailbox, readAddress } from './addresses.js';
import { requireLimit } from './require-limit.js';

/** How long a repeated call returns the message of the first one. */
const DEDUPE_MS = 24 * 3_600_000;

interface SendMessageCommand {
  to: string;
  from: string | undefined;
  subject: string;
  bodyJson: string;
  threadId: string | undefined;
  runs: RunOwners;
  dedupeKey: string | undefined;
}

/** @throws AppError NOT_FOUND for an address or thread outside the scope, CONFLICT for a key of another scope */
export async function sendMessage(
  ctx: Pick<Context, 'clock' | 'pool'>,
  scope: Scope,
  command: SendMessageCommand,
): Promise<Message> {
  const { runs, subject, bodyJson, dedupeKey } = command;
  const to = readAddress(command.to, 'to');
  const from = command.from === undefined ? apiAddress(scope.projectId) : readAddress(command.from, 'from');
  checkContent(subject, bodyJson);
  const thread = command.threadId === undefined ? undefined : await requireThread(ctx, scope, command.threadId);
  const decision = decideDelivery({ scope, to, from, runs, threadCustomerId: thread?.customerId });
  if (!decision.ok) throw toError(decision.refusal);
  const id = randomUUID();
  const createdAt = ctx.clock.now();
  const message: Message = {
    id,
    projectId: scope.projectId,
    customerId: decision.customerId,
    from: formatAddress(from),
    to: formatAddress(to),
    subject,
    bodyJson,
    threadId: thread?.threadId ?? id,
    readAt: undefined,
    createdAt,
  };
  const since = new Date(createdAt.getTime() - DEDUPE_MS);
  const sent = await insertMessage(ctx.pool, message, dedupeKey === undefined ? undefined : { key: dedupeKey, since });
  if (sent.customerId !== message.customerId) throw new AppError('CONFLICT', 'the dedupe key is in use elsewhere');
  return sent;
}

function toError(refusal: DeliveryRefusal): AppError {
  if (refusal !== 'sender_forbidden') return new AppError('NOT_FOUND', refusal.replaceAll('_', ' '));
  return new AppError('FORBIDDEN', 'a customer may send only from its own runs and from agent:api@<project_id>');
}

function checkContent(subject: string, bodyJson: string): void {
  const fault = contentFault(subject, bodyJson);
  if (!fault) return;
  if (fault.kind === 'too_large') {
    throw new AppError('PAYLOAD_TOO_LARGE', `the body of a message may have at most ${BODY_BYTES_MAX} bytes`);
  }
  const { field, message } = fault;
  throw new AppError('VALIDATION_ERROR', `${field}: ${message}`, { fields: [{ field, message }] });
}

interface ListMessagesQuery {
  to: string | undefined;
  threadId: string | undefined;
  unreadOnly: boolean;
  limit: number;
  offset: number;
  cursor: string | undefined;
  runs: RunOwners;
}

interface MessagePage {
  messages: Message[];
  hasMore: boolean;
  nextCursor: string | undefined;
}

/**
 * Returns messages of a mailbox or thread, oldest first. A cursor is the id of the last message before: messages that are marked as
 * read between two pages of unread ones move no other.
 *
 * @throws AppError NOT_FOUND for a mailbox or thread outside the scope
 */
export async function listMessages(
  ctx: Pick<Context, 'pool'>,
  scope: Scope,
  query: ListMessagesQuery,
): Promise<MessagePage> {
  const { to, threadId, unreadOnly, limit, offset, cursor, runs } = query;
  if (to === undefined && threadId === undefined) {
    const fields = [{ field: 'to', message: 'to or thread_id is required' }];
    throw new AppError('VALIDATION_ERROR', 'to or thread_id is required', { fields });
  }
  const mailbox = to === undefined ? undefined : await openMailbox(ctx, scope, { text: to, field: 'to' }, runs);
  if (threadId !== undefined) await requireThread(ctx, scope, threadId);
  const after = cursor === undefined ? undefined : await findMessagePlace(ctx.pool, scope, cursor);
  if (cursor !== undefined && after === undefined) throw cursorFault();
  // One more than requested shows whether there is a next page.
  const page = { take: limit + 1, skip: offset };
  const found = await readPage(ctx.pool, scope, { to: mailbox, threadId, unreadOnly, after }, page);
  const messages = found.slice(0, limit);
  const hasMore = found.length > limit;
  return { messages, hasMore, nextCursor: hasMore ? messages.at(-1)?.id : undefined };
}

interface ReadInboxCommand {
  address: string;
  limit: number;
  runs: RunOwners;
  dedupeKey: string | undefined;
}

/**
 * Returns unread messages and marks them as read. A call with the key of an earlier one returns what that call took, also
 * while that call is still running: its caller may have timed out.
 */
export async function readInbox(
  ctx: Pick<Context, 'clock' | 'pool'>,
  scope: Scope,
  command: ReadInboxCommand,
): Promise<Message[]> {
  const { address, limit, runs, dedupeKey } = command;
  requireLimit(limit);
  const to = await openMailbox(ctx, scope, { text: address, field: 'address' }, runs);
  const take = { to, limit, at: ctx.clock.now(), readKey: dedupeKey };
  if (dedupeKey === undefined) return takeUnreadMessages(ctx.pool, scope, take);
  return withTransaction(ctx.pool, async (tx) => {
    await lockReadKey(tx, scope, dedupeKey);
    const taken = await listTakenMessages(tx, scope, to, dedupeKey);
    return taken.length > 0 ? taken : takeUnreadMessages(tx, scope, take);
  });
}

/** Returns the thread's first message in scope. @throws AppError NOT_FOUND when the scope sees none of its messages */
export async function requireThread(ctx: Pick<Context, 'pool'>, scope: Scope, threadId: string): Promise<Message> {
  const start = isUuid(threadId) ? await findThreadStart(ctx.pool, scope, threadId) : undefined;
  if (!start) throw new AppError('NOT_FOUND', 'thread not found');
  return start;
}
