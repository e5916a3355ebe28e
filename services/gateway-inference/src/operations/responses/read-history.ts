import { AppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import type { Context } from '../../context.js';
import { CONVERSATION_ITEMS_MAX, requireReadable, toConversationKey } from '../../domain/conversation.js';
import { type Caller, isStorableId, joinArrays, toCaller } from '../../domain/stored-response.js';
import { readItems } from '../../store/conversation-items.js';
import { findConversation } from '../../store/conversations.js';
import { type ChainLink, findResponse, measureChain, readChain, type StoredResponse } from '../../store/responses.js';
import { type ReferencedItem, readItemsById } from './read-items.js';

/** Responses of one chain. */
export const CHAIN_MAX = 1_000;
/** Bytes of the items of one chain, and of those that a request names: as many as a request may have. */
const ITEMS_BYTES_MAX = 32 * 1024 * 1024;
/** References of one request. */
const REFERENCES_MAX = 10_000;

export interface History {
  /** Undefined if there is no such response. */
  previousKey: string | undefined;
  /** Undefined if there is no such conversation. */
  conversationKey: string | undefined;
  itemsJson: string;
  referenced: ReferencedItem[];
}

type HistoryContext = Pick<Context, 'clock' | 'pool'>;

/** Returns the items that a request refers to, as far as they exist for its caller. @throws AppError when they are too many */
export async function readHistory(
  ctx: HistoryContext,
  asked: { previousResponseId: string; itemIds: readonly string[]; conversationId: string },
  call: Call,
): Promise<History> {
  const caller = toCaller(call.requirePrincipal());
  const now = ctx.clock.now();
  if (asked.itemIds.length > REFERENCES_MAX) throw tooLong(`at most ${REFERENCES_MAX} items can be referred to`);
  const named = { itemIds: asked.itemIds, bytesMax: ITEMS_BYTES_MAX, now };
  const referenced = await readItemsById(ctx.pool, caller, named);
  if (referenced === 'too large') throw tooLong(`its items are larger than ${ITEMS_BYTES_MAX} bytes`);
  if (asked.conversationId !== '') {
    const read = await readConversation(ctx, asked.conversationId, caller, now);
    return { previousKey: undefined, conversationKey: read?.key, itemsJson: read?.itemsJson ?? '[]', referenced };
  }
  const found =
    isStorableId(asked.previousResponseId) && (await findResponse(ctx.pool, caller, asked.previousResponseId, now));
  const links = found && (await readWholeChain(ctx, found.id));
  if (!found || !links) return { previousKey: undefined, conversationKey: undefined, itemsJson: '[]', referenced };
  refuseInConversation(found);
  const itemsJson = joinArrays(links.flatMap(({ inputItems, outputItems }) => [inputItems, outputItems]));
  return { previousKey: found.id, conversationKey: undefined, itemsJson, referenced };
}

/** Returns the chain that ends with this response, oldest first; undefined if a part of it is no longer stored. */
export async function readWholeChain(ctx: HistoryContext, id: string): Promise<ChainLink[] | undefined> {
  const { links, bytes, isWhole } = await measureChain(ctx.pool, id, CHAIN_MAX);
  if (bytes > ITEMS_BYTES_MAX) throw tooLong(`its items are larger than ${ITEMS_BYTES_MAX} bytes`);
  if (!isWhole && links === CHAIN_MAX) throw tooLong(`it continues more than ${CHAIN_MAX} responses`);
  return isWhole ? readChain(ctx.pool, id, CHAIN_MAX) : undefined;
}

async function readConversation(
  ctx: HistoryContext,
  id: string,
  caller: Caller,
  now: Date,
): Promise<{ key: string; itemsJson: string } | undefined> {
  const key = toConversationKey(id);
  const found = key && (await findConversation(ctx.pool, caller, key, now));
  if (!found) return undefined;
  requireReadable(found);
  return { key: found.id, itemsJson: `[${(await readItems(ctx.pool, found.id, CONVERSATION_ITEMS_MAX)).join(',')}]` };
}

/** The items before such a response are those of its conversation, which may have changed since. */
function refuseInConversation({ response }: StoredResponse): void {
  const { conversation } = JSON.parse(response) as { conversation?: { id: string } | null };
  if (!conversation) return;
  const message = `the response belongs to a conversation: send conversation: ${conversation.id} instead`;
  throw new AppError('VALIDATION_ERROR', message, { fields: [{ field: 'previous_response_id', message }] });
}

function tooLong(why: string): AppError {
  const message = `the conversation is too long: ${why}; start a new one`;
  return new AppError('VALIDATION_ERROR', message, {
    fields: [{ field: 'previous_response_id', message }],
    vendorError: { shape: 'openai', code: 'context_length_exceeded' },
  });
}
