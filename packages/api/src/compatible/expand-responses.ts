import {
  listItemReferences,
  type SentInputTokensBody,
  type SentResponsesBody,
  toConversationId,
} from './compatible-responses.js';

// How a request that refers to stored items becomes one whose input is all that the model reads. Sources of the errors: answers of
// the vendor's API to ids that it does not have.

/** The stored items that a request refers to, as far as they exist for its caller. */
export interface StoredHistory {
  hasPrevious: boolean;
  previousKey: string;
  /** JSON array. */
  itemsJson: Uint8Array;
  referenced: readonly { id: string; itemJson: Uint8Array }[];
  hasConversation: boolean;
  conversationKey: string;
}

export interface ExpandedResponses {
  kind: 'expanded';
  /** The body with all that the model reads as its input; still to be validated. */
  expanded: Record<string, unknown>;
  /** Key of the response before; empty without one. */
  previousKey: string;
  /** Leading items of the input that belong to the responses before, or to the conversation. */
  historyItems: number;
  /** Key of the conversation; empty without one. */
  conversationKey: string;
  /** Bytes of the stored items, counted as often as the body names them. */
  storedBytes: number;
}

/** The error of the vendor for an id that does not exist. */
export interface MissingReference {
  kind: 'missing';
  code: 'VALIDATION_ERROR' | 'NOT_FOUND';
  message: string;
  vendorError: { shape: 'openai'; type: string; param: string; code?: string };
}

/** Returns what a body refers to, in the form in which it is read from the store. */
export function toHistoryQuery(body: SentInputTokensBody): {
  previousResponseId: string;
  itemIds: string[];
  conversationId: string;
} {
  return {
    previousResponseId: body.previous_response_id ?? '',
    itemIds: listItemReferences(body),
    conversationId: toConversationId(body) ?? '',
  };
}

/**
 * Replaces references to stored items by the items themselves. `reserve` gets the bytes of the items before anything is parsed, and
 * may throw: a short body can name a long item many times.
 */
export function expandResponses(
  body: SentInputTokensBody | SentResponsesBody,
  stored: StoredHistory,
  reserve: (storedBytes: number) => void,
): ExpandedResponses | MissingReference {
  const { input } = body;
  const sizes = new Map(stored.referenced.map(({ id, itemJson }) => [id, itemJson.length]));
  const missing = findMissing(body, stored, sizes);
  if (missing) return missing;
  const named = typeof input === 'string' ? [] : input;
  const storedBytes = named.reduce(
    (sum, item) => sum + (item.type === 'item_reference' ? (sizes.get(item.id) ?? 0) : 0),
    stored.itemsJson.length,
  );
  reserve(storedBytes);
  const items = new Map(stored.referenced.map(({ id, itemJson }) => [id, parse(itemJson)]));
  const history = parse(stored.itemsJson) as unknown[];
  const own =
    typeof input === 'string'
      ? [{ type: 'message', role: 'user', content: input }]
      : input.map((item) => (item.type === 'item_reference' ? items.get(item.id) : item));
  return {
    kind: 'expanded',
    expanded: { ...body, input: [...history, ...own] },
    previousKey: stored.previousKey,
    historyItems: history.length,
    conversationKey: stored.conversationKey,
    storedBytes,
  };
}

function findMissing(
  body: SentInputTokensBody,
  stored: StoredHistory,
  sizes: ReadonlyMap<string, number>,
): MissingReference | undefined {
  const { previousResponseId, itemIds, conversationId } = toHistoryQuery(body);
  if (previousResponseId !== '' && !stored.hasPrevious) {
    const message = `Previous response with id '${previousResponseId}' not found.`;
    return toMissing('VALIDATION_ERROR', message, 'previous_response_id', 'previous_response_not_found');
  }
  if (conversationId !== '' && !stored.hasConversation) {
    return toMissing('NOT_FOUND', `Conversation with id '${conversationId}' not found.`, 'conversation');
  }
  const itemId = itemIds.find((id) => !sizes.has(id));
  return itemId === undefined ? undefined : toMissing('NOT_FOUND', `Item with id '${itemId}' not found.`, 'input');
}

function toMissing(
  code: MissingReference['code'],
  message: string,
  param: string,
  vendorCode?: string,
): MissingReference {
  const vendorError = { shape: 'openai', type: 'invalid_request_error', param } as const;
  return {
    kind: 'missing',
    code,
    message,
    vendorError: vendorCode ? { ...vendorError, code: vendorCode } : vendorError,
  };
}

function parse(json: Uint8Array): unknown {
  return JSON.parse(new TextDecoder().decode(json));
}
