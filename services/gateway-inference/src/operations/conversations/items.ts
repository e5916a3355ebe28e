import { AppError } from '@tollgate/errors';
import { withTransaction } from '@tollgate/postgres';
import type { Call } from '@tollgate/rpc';
import type { JsonObject } from '@tollgate/runtime';
import type { Context } from '../../context.js';
import { CONVERSATION_BYTES_MAX, CONVERSATION_ITEMS_MAX, toListedItem } from '../../domain/conversation.js';
import { toCaller } from '../../domain/stored-response.js';
import {
  deleteItem as deleteRow,
  findItem,
  findPosition,
  listAddedItems,
  listItems as listRows,
} from '../../store/conversation-items.js';
import type { Conversation } from '../../store/conversations.js';
import { appendItems } from './append-items.js';
import { type ConversationContext, noConversation, requireConversation, toTerm } from './conversations.js';

type ReadContext = Pick<Context, 'clock' | 'pool'>;

interface Place {
  conversationId: string;
  itemId: string;
}

/** Adds items in a row and returns them as they are listed. A repeat adds nothing. @throws AppError NOT_FOUND, VALIDATION_ERROR */
export async function addItems(
  ctx: ConversationContext,
  added: { conversationId: string; items: readonly JsonObject[]; itemsBytes: number; sourceId: string },
  call: Call,
): Promise<string[]> {
  const { conversationId, items, itemsBytes, sourceId } = added;
  const conversation = await requireConversation(ctx, conversationId, call);
  requireSpace(conversation, items.length, itemsBytes);
  const key = conversation.id;
  const outcome = await withTransaction(ctx.pool, (tx) =>
    appendItems(tx, { conversationKey: key, sourceId, items, ...toTerm(ctx) }),
  );
  if (outcome === 'missing') throw noConversation();
  ctx.responseLimits.note(toCaller(call.requirePrincipal()));
  return (await listAddedItems(ctx.pool, key, sourceId)).map(toListedItem);
}

/** Returns a page of items. @throws AppError NOT_FOUND; VALIDATION_ERROR for an unknown `after` */
export async function listItems(
  ctx: ReadContext,
  page: { conversationId: string; limit: number; after: string; isDescending: boolean },
  call: Call,
): Promise<{ items: string[]; hasMore: boolean }> {
  const { id: key } = await requireConversation(ctx, page.conversationId, call);
  const after = page.after === '' ? undefined : await findPosition(ctx.pool, key, page.after);
  if (page.after !== '' && after === undefined) throw noCursor(page.after);
  const { limit, isDescending } = page;
  const rows = await listRows(ctx.pool, key, { after, limit: limit + 1, isDescending });
  return { items: rows.slice(0, limit).map(toListedItem), hasMore: rows.length > limit };
}

/** @throws AppError NOT_FOUND */
export async function getItem(ctx: ReadContext, { conversationId, itemId }: Place, call: Call): Promise<string> {
  const { id: key } = await requireConversation(ctx, conversationId, call);
  const found = await findItem(ctx.pool, key, itemId);
  if (!found) throw noItem();
  return toListedItem(found);
}

/** Returns the conversation without the item. @throws AppError NOT_FOUND */
export async function deleteItem(
  ctx: ReadContext,
  { conversationId, itemId }: Place,
  call: Call,
): Promise<Conversation> {
  const conversation = await requireConversation(ctx, conversationId, call);
  if (!(await deleteRow(ctx.pool, conversation.id, itemId))) throw noItem();
  return conversation;
}

function requireSpace({ items, bytes }: Conversation, moreItems: number, moreBytes: number): void {
  const isFull = items + moreItems > CONVERSATION_ITEMS_MAX || bytes + moreBytes > CONVERSATION_BYTES_MAX;
  if (!isFull) return;
  const message = `a conversation has at most ${CONVERSATION_ITEMS_MAX} items with ${CONVERSATION_BYTES_MAX} bytes; delete items or start a new one`;
  throw new AppError('VALIDATION_ERROR', message, { fields: [{ field: 'items', message }] });
}

function noItem(): AppError {
  return new AppError('NOT_FOUND', 'item not found: it is not in this conversation', {
    vendorError: { shape: 'openai', type: 'invalid_request_error' },
  });
}

function noCursor(id: string): AppError {
  const message = `no item of this conversation has the id ${id}`;
  return new AppError('VALIDATION_ERROR', message, { fields: [{ field: 'after', message }] });
}
