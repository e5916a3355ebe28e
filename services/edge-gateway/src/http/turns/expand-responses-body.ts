import { listItemReferences, type SentInputTokensBody, toConversationId } from '@tollgate/api/compatible';
import { AppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import type { Context } from '../../context.js';
import { BODY_BYTES_MAX } from '../exchange/body/body-limits.js';
import { type BodyShare, overloaded, tooLarge } from '../exchange/body/read-body.js';

export interface ExpandedBody {
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

/**
 * Replaces references to stored items by the items themselves, and counts their bytes in `share`.
 *
 * @throws AppError in the words of the vendor when one does not exist for the caller; PAYLOAD_TOO_LARGE when the items have more
 *   bytes than a body may have; SERVICE_UNAVAILABLE when the process holds too many bodies
 */
export async function expandResponsesBody(
  ctx: Pick<Context, 'clients'>,
  body: SentInputTokensBody,
  share: BodyShare,
  call: Call,
): Promise<ExpandedBody> {
  const { previous_response_id: previousId, input } = body;
  const itemIds = listItemReferences(body);
  const conversationId = toConversationId(body) ?? '';
  const asked = { previousResponseId: previousId ?? '', itemIds, conversationId };
  const found = await ctx.clients.storedResponses.readHistory(asked, call);
  if (previousId && !found.hasPrevious) throw noPrevious(previousId);
  if (conversationId !== '' && !found.hasConversation) throw noConversation(conversationId);
  const sizes = new Map(found.referenced.map(({ id, itemJson }) => [id, itemJson.length]));
  const missing = itemIds.find((id) => !sizes.has(id));
  if (missing !== undefined) throw noItem(missing);
  // Before anything is parsed: a short body can name a long item many times.
  const named = typeof input === 'string' ? [] : input;
  const storedBytes = named.reduce(
    (sum, item) => sum + (item.type === 'item_reference' ? (sizes.get(item.id) ?? 0) : 0),
    found.itemsJson.length,
  );
  if (storedBytes > BODY_BYTES_MAX.generating) throw tooLarge(BODY_BYTES_MAX.generating);
  if (!share.take(storedBytes)) throw overloaded();
  const items = new Map(found.referenced.map(({ id, itemJson }) => [id, parse(itemJson)]));
  const history = parse(found.itemsJson) as unknown[];
  const own =
    typeof input === 'string'
      ? [{ type: 'message', role: 'user', content: input }]
      : input.map((item) => (item.type === 'item_reference' ? items.get(item.id) : item));
  return {
    expanded: { ...body, input: [...history, ...own] },
    previousKey: found.previousKey,
    historyItems: history.length,
    conversationKey: found.conversationKey,
    storedBytes,
  };
}

function parse(json: Uint8Array): unknown {
  return JSON.parse(Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString('utf8'));
}

function noPrevious(id: string): AppError {
  return new AppError('VALIDATION_ERROR', `Previous response with id '${id}' not found.`, {
    vendorError: {
      shape: 'openai',
      type: 'invalid_request_error',
      param: 'previous_response_id',
      code: 'previous_response_not_found',
    },
  });
}

function noConversation(id: string): AppError {
  return new AppError('NOT_FOUND', `Conversation with id '${id}' not found.`, {
    vendorError: { shape: 'openai', type: 'invalid_request_error', param: 'conversation' },
  });
}

function noItem(id: string): AppError {
  return new AppError('NOT_FOUND', `Item with id '${id}' not found.`, {
    vendorError: { shape: 'openai', type: 'invalid_request_error', param: 'input' },
  });
}
