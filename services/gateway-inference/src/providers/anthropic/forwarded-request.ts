import { AppError } from '@tollgate/errors';
import type { ModelCall } from '../contract/provider.js';
import { filterObjects, isObject, type Json } from '../convert/answer-reading.js';
import { thinkingBudget } from '../convert/thinking-budget.js';

/** Smallest thinking budget that the vendor accepts. */
const THINKING_TOKENS_MIN = 1_024;

/**
 * Returns the client's own body with the decisions of admission. @throws AppError for options without a price
 *
 * Source: MessageCreateParams of `@anthropic-ai/sdk` 1.11.
 */
export function forwardedMessagesRequest(call: ModelCall, client: Readonly<Json>): Json {
  refuseLongCaching(client);
  const bound = call.maxOutputTokens;
  const body: Json = { ...client, model: call.upstreamModel, max_tokens: bound };
  const thinking = thinkingWithin(client, bound);
  if (thinking) body.thinking = thinking;
  else delete body.thinking;
  return withoutNulls(body);
}

/** Reduces the thinking budget if the hold bounds the answer below the client's bound. */
function thinkingWithin({ thinking, max_tokens: asked }: Readonly<Json>, bound: number): Json | undefined {
  if (!isObject(thinking)) return undefined;
  const { type, budget_tokens: budget } = thinking;
  const isCut = typeof asked === 'number' && bound < asked;
  if (type !== 'enabled' || typeof budget !== 'number' || !isCut) return thinking;
  const left = thinkingBudget(budget, bound);
  return left >= THINKING_TOKENS_MIN ? { ...thinking, budget_tokens: left } : { type: 'disabled' };
}

/** Removes null members: our schema accepts them as absent, the vendor does not. */
function withoutNulls(body: Json): Json {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
}

/** Rejects a cache lifetime of an hour, which costs twice the input price: the catalog's prices are for five minutes. */
function refuseLongCaching(client: Readonly<Json>): void {
  const places: Json[] = [client, ...filterObjects(client.system), ...filterObjects(client.tools)];
  for (const { content } of filterObjects(client.messages)) addBlocks(content, places);
  for (const { cache_control: control } of places) {
    if (isObject(control) && control.ttl !== undefined && control.ttl !== '5m') {
      const message = 'prompts are cached for 5m only: a longer lifetime has no price in the catalog';
      throw new AppError('MODEL_CAPABILITY_UNSUPPORTED', message, {
        fields: [{ field: 'cache_control.ttl', message }],
      });
    }
  }
}

/** Adds blocks and the blocks inside them: tool results and documents also have content. */
function addBlocks(content: unknown, places: Json[]): void {
  for (const block of filterObjects(content)) {
    places.push(block);
    addBlocks(block.content, places);
    if (isObject(block.source)) addBlocks(block.source.content, places);
  }
}
