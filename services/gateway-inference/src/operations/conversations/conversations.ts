import { randomUUID } from 'node:crypto';
import { AppError } from '@tollgate/errors';
import { withTransaction } from '@tollgate/postgres';
import type { Call } from '@tollgate/rpc';
import type { JsonObject } from '@tollgate/runtime';
import type { Context } from '../../context.js';
import { toConversationKey } from '../../domain/conversation.js';
import { toCaller } from '../../domain/stored-response.js';
import {
  type Conversation,
  deleteConversation as deleteRow,
  findConversation,
  insertConversation,
  updateMetadata,
} from '../../store/conversations.js';
import { appendItems } from './append-items.js';

export type ConversationContext = Pick<Context, 'clock' | 'config' | 'pool' | 'responseLimits'>;

/** Creates a conversation with its first items, all or nothing. */
export async function createConversation(
  ctx: ConversationContext,
  { metadata, items }: { metadata: string; items: readonly JsonObject[] },
  call: Call,
): Promise<Conversation> {
  const caller = toCaller(call.requirePrincipal());
  const { now, expiresAt } = toTerm(ctx);
  const id = randomUUID();
  const created = await withTransaction(ctx.pool, async (tx) => {
    const conversation = await insertConversation(tx, { id, ...caller, metadata, createdAt: now, expiresAt });
    if (items.length > 0) await appendItems(tx, { conversationKey: id, sourceId: id, items, now, expiresAt });
    return conversation;
  });
  ctx.responseLimits.note(caller);
  return created;
}

/** @throws AppError NOT_FOUND */
export async function requireConversation(
  ctx: Pick<Context, 'clock' | 'pool'>,
  conversationId: string,
  call: Call,
): Promise<Conversation> {
  const key = toConversationKey(conversationId);
  const caller = toCaller(call.requirePrincipal());
  const found = key && (await findConversation(ctx.pool, caller, key, ctx.clock.now()));
  if (!found) throw noConversation();
  return found;
}

/** @throws AppError NOT_FOUND */
export async function updateConversation(
  ctx: ConversationContext,
  { conversationId, metadata }: { conversationId: string; metadata: string },
  call: Call,
): Promise<Conversation> {
  const key = toConversationKey(conversationId);
  const caller = toCaller(call.requirePrincipal());
  const updated = key && (await updateMetadata(ctx.pool, caller, key, { metadata, ...toTerm(ctx) }));
  if (!updated) throw noConversation();
  return updated;
}

/** @throws AppError NOT_FOUND */
export async function deleteConversation(
  ctx: Pick<Context, 'clock' | 'pool'>,
  conversationId: string,
  call: Call,
): Promise<void> {
  const key = toConversationKey(conversationId);
  const caller = toCaller(call.requirePrincipal());
  const isDeleted = key !== undefined && (await deleteRow(ctx.pool, caller, key, ctx.clock.now()));
  if (!isDeleted) throw noConversation();
}

/** Returns until when a conversation that is used now can be read. */
export function toTerm({ clock, config }: Pick<Context, 'clock' | 'config'>): { now: Date; expiresAt: Date } {
  const now = clock.now();
  return { now, expiresAt: new Date(now.getTime() + config.storedResponses.ttlMs) };
}

export function noConversation(): AppError {
  return new AppError('NOT_FOUND', 'conversation not found: it does not exist, or is not visible to this caller', {
    vendorError: { shape: 'openai', type: 'invalid_request_error' },
  });
}
