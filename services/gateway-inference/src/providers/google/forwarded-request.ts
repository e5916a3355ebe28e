import type { ModelCall } from '../contract/provider.js';
import { isObject, type Json } from '../convert/answer-reading.js';
import { thinkingBudget } from '../convert/thinking-budget.js';

/**
 * Returns the client's own body with the output bound of admission, and a thinking budget that fits it. The path names the model.
 *
 * Source: `generateContentParametersToMldev` of `@google/genai` 3.1.
 */
export function forwardedGenerateRequest(call: ModelCall, client: Readonly<Json>): Json {
  const { model: _named, generationConfig, ...body } = client;
  const config: Json = isObject(generationConfig) ? { ...generationConfig } : {};
  const { thinkingConfig: thinking } = config;
  config.maxOutputTokens = call.maxOutputTokens;
  // 0 turns thinking off, and -1 leaves the budget to the model.
  if (isObject(thinking) && typeof thinking.thinkingBudget === 'number' && thinking.thinkingBudget > 0) {
    const budget = thinkingBudget(thinking.thinkingBudget, call.maxOutputTokens);
    config.thinkingConfig = { ...thinking, thinkingBudget: budget };
  }
  return { ...body, generationConfig: config };
}
