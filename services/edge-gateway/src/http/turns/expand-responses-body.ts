import { listItemReferences, type SentInputTokensBody, toConversationId } from '@tollgate/api/compatible';
import { AppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import type { Context } from '../../context.js';

export interface ExpandedBody {
  /** The body with all that the model reads as its input; still to be validated. */
  expanded: Record<string, unknown>;
  /** Key of the response before; empty without one. */
  previousKey: string;
  /** Leading items of the input that belong to the responses before, or to the conversation. */
  historyItems: number;
  /** Key of the conversation; empty without one. */
  conversationKey: string;
}

/**
 * Replaces references to stored items by the items themselves.
 *
 * @throws AppError in the words of the vendor when one does not exist for the caller
 */
export async function expandResponsesBody(
  ctx: Pick<Context, 'clients'>,
  body: SentInputTokensBody,
  call: Call,
): Promise<ExpandedBody> {
  const { previous_response_id: previousId, input } = body;
  const itemIds = listItemReferences(body);
  const conversationId = toConversationId(body) ?? '';
  const asked = { previousResponseId: previousId ?? '', itemIds, conversationId };
  const found = await ctx.clients.storedResponses.readHistory(asked, call);
  if (previousId && !found.hasPrevious) throw noPrevious(previousId);
  if (conversationId !== '' && !found.hasConversation) throw noConversation(conversationId);
  const items = new Map(found.referenced.map(({ id, itemJson }) => [id, parse(itemJson)]));
  const missing = itemIds.find((id) => !items.has(id));
  if (missing !== undefined) throw noItem(missing);
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
