import { cacheLifetimes, isCustomTool, type MessagesTool, toolKind } from '@tollgate/api/compatible';
import { FETCHED_TOKENS_MAX, PROVIDER_FETCHES_MAX, PROVIDER_SEARCHES_MAX } from '@tollgate/catalog';
import { AppError } from '@tollgate/errors';
import type { ModelCall } from '../contract/provider.js';
import { isObject, type Json } from '../convert/answer-reading.js';
import { thinkingBudget } from '../convert/thinking-budget.js';
import { withoutDisabled } from './forwarded-betas.js';

/** Smallest thinking budget that the vendor accepts. */
const THINKING_TOKENS_MIN = 1_024;

/**
 * Returns the client's own body with the decisions of admission. @throws AppError for options without a price
 *
 * Source: MessageCreateParams of `@anthropic-ai/sdk` 1.12.
 */
export function forwardedMessagesRequest(call: ModelCall, client: Readonly<Json>): Json {
  refuseUnpricedCaching(call, client);
  const bound = call.maxOutputTokens;
  const body: Json = { ...withoutDisabled(client), model: call.upstreamModel, max_tokens: bound };
  if (Array.isArray(client.tools)) body.tools = client.tools.map(boundUses);
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

/** Bounds the uses of tools that the vendor runs by what the hold covers. */
function boundUses(tool: MessagesTool): Json {
  if (isCustomTool(tool)) return tool;
  switch (toolKind(tool.type)) {
    case 'search':
      return { ...tool, max_uses: smaller(tool.max_uses, PROVIDER_SEARCHES_MAX) };
    case 'fetch': {
      const tokens = smaller(tool.max_content_tokens, FETCHED_TOKENS_MAX);
      return { ...tool, max_uses: smaller(tool.max_uses, PROVIDER_FETCHES_MAX), max_content_tokens: tokens };
    }
    default:
      return tool;
  }
}

function smaller(asked: number | null | undefined, bound: number): number {
  return Math.min(asked ?? bound, bound);
}

/** Rejects lifetimes of the cache that have no price. */
function refuseUnpricedCaching({ forward }: ModelCall, client: Readonly<Json>): void {
  for (const lifetime of cacheLifetimes(client)) {
    if (lifetime === '5m' || (lifetime === '1h' && forward?.hasHourCache)) continue;
    const message = `prompts cannot be cached for ${String(lifetime)}: this lifetime has no price in the catalog`;
    throw new AppError('MODEL_CAPABILITY_UNSUPPORTED', message, { fields: [{ field: 'cache_control.ttl', message }] });
  }
}
