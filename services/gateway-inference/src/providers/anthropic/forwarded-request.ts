import { AppError } from '@tollgate/errors';
import type { ModelCall } from '../contract/provider.js';
import { isObject, type Json, objectsOf } from '../convert/answer-reading.js';
import { thinkingBudget } from '../convert/thinking-budget.js';

/** Least budget of thinking that the vendor takes. */
const THINKING_TOKENS_MIN = 1_024;

/**
 * The client's own body with what admission decided written over it. @throws AppError for what has no price here
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

/** Where the hold has made the answer's bound smaller than the client's, the budget within it shrinks with it. */
function thinkingWithin({ thinking, max_tokens: asked }: Readonly<Json>, bound: number): Json | undefined {
  if (!isObject(thinking)) return undefined;
  const { type, budget_tokens: budget } = thinking;
  const isCut = typeof asked === 'number' && bound < asked;
  if (type !== 'enabled' || typeof budget !== 'number' || !isCut) return thinking;
  const left = thinkingBudget(budget, bound);
  return left >= THINKING_TOKENS_MIN ? { ...thinking, budget_tokens: left } : { type: 'disabled' };
}

/** Our schema takes null for absent everywhere; the vendor does not. */
function withoutNulls(body: Json): Json {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
}

/** What is kept for an hour is written at twice the price of input; prices here are those of five minutes. */
function refuseLongCaching(client: Readonly<Json>): void {
  const places: Json[] = [client, ...objectsOf(client.system), ...objectsOf(client.tools)];
  for (const { content } of objectsOf(client.messages)) addBlocks(content, places);
  for (const { cache_control: control } of places) {
    if (isObject(control) && control.ttl !== undefined && control.ttl !== '5m') {
      const message = 'prompts are cached for 5m only: longer has no price here';
      throw new AppError('MODEL_CAPABILITY_UNSUPPORTED', message, {
        fields: [{ field: 'cache_control.ttl', message }],
      });
    }
  }
}

/** Blocks, and those within them: results of tools and documents have content of their own. */
function addBlocks(content: unknown, places: Json[]): void {
  for (const block of objectsOf(content)) {
    places.push(block);
    addBlocks(block.content, places);
    if (isObject(block.source)) addBlocks(block.source.content, places);
  }
}
