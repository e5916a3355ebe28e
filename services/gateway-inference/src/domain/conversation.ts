import { AppError } from '@tollgate/errors';
import type { JsonObject } from '@tollgate/runtime/json-object';
import { isLowerCaseUuid } from '@tollgate/runtime/uuid';
import { isStorableId } from './stored-response.js';

/** Items of one conversation: as many as a request may have. */
export const CONVERSATION_ITEMS_MAX = 10_000;
/** Bytes of its items: as many as a request may have. */
export const CONVERSATION_BYTES_MAX = 32 * 1024 * 1024;

const PREFIX = 'conv_';

/** Returns the id by which clients know a conversation. */
export function toConversationId(key: string): string {
  return `${PREFIX}${key.replaceAll('-', '')}`;
}

/** Returns the key of a conversation; undefined for text that is not an id of one. */
export function toConversationKey(id: string): string | undefined {
  if (!id.startsWith(PREFIX)) return undefined;
  const hex = id.slice(PREFIX.length);
  const key = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
  return isLowerCaseUuid(key) ? key : undefined;
}

/** An item of a conversation, before it has a position. */
export interface NewItem {
  itemId: string;
  item: string;
  bytes: number;
}

const prefixes: Readonly<Record<string, string>> = {
  message: 'msg',
  function_call: 'fc',
  function_call_output: 'fco',
  reasoning: 'rs',
};

/** Returns the ids that the items bring. */
export function listItemIds(items: readonly JsonObject[]): string[] {
  return items.flatMap(({ id }) => (isStorableId(id) ? [id] : []));
}

/** Gives each item an id that no other item of its conversation has: its own, or one made of its source and its place. */
export function toNewItems(items: readonly JsonObject[], takenIds: readonly string[], sourceId: string): NewItem[] {
  const seen = new Set(takenIds);
  return items.map((each, place) => {
    const { id, type = 'message' } = each;
    const made = `${prefixes[String(type)] ?? 'item'}_${sourceId.replaceAll('-', '')}_${place}`;
    const itemId = isStorableId(id) && !seen.has(id) ? id : made;
    seen.add(itemId);
    const item = JSON.stringify(each);
    return { itemId, item, bytes: Buffer.byteLength(item) };
  });
}

/** Returns an item as clients read it: with its id, and a message with parts and a status. */
export function toListedItem({ itemId, item }: Pick<NewItem, 'itemId' | 'item'>): string {
  const stored = JSON.parse(item) as JsonObject;
  const { type = 'message' } = stored;
  const listed: JsonObject = { ...stored, type, id: itemId };
  if (type !== 'message') return JSON.stringify(listed);
  const { content, role, status = 'completed' } = stored;
  const text = { type: role === 'assistant' ? 'output_text' : 'input_text', text: content };
  return JSON.stringify({ ...listed, status, content: typeof content === 'string' ? [text] : content });
}

/** @throws AppError when a conversation has too much for one request */
export function requireReadable({ items, bytes }: { items: number; bytes: number }): void {
  if (items <= CONVERSATION_ITEMS_MAX && bytes <= CONVERSATION_BYTES_MAX) return;
  const why = items > CONVERSATION_ITEMS_MAX ? `${CONVERSATION_ITEMS_MAX} items` : `${CONVERSATION_BYTES_MAX} bytes`;
  const message = `the conversation is too long: it has more than ${why}; delete items or start a new one`;
  throw new AppError('VALIDATION_ERROR', message, {
    fields: [{ field: 'conversation', message }],
    vendorError: { shape: 'openai', code: 'context_length_exceeded' },
  });
}
