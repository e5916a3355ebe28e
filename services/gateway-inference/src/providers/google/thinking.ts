import type { ModelRequest } from '../../domain/model-request.js';
import type { Json } from '../convert/answer-reading.js';
import { thinkingBudget } from '../convert/thinking-budget.js';

type Effort = NonNullable<ModelRequest['reasoningEffort']>;

/** As in the vendor's own OpenAI-compatible endpoint. */
const budgets: Record<Effort, number> = { none: 0, low: 1_024, medium: 8_192, high: 24_576 };
/** The Pro models of that generation always reason. */
const PRO_BUDGET_MIN = 128;

/**
 * Returns the reasoning setting of a Gemini model: a level since Gemini 3, a token budget before.
 *
 * Source: ai.google.dev/gemini-api/docs/thinking and /docs/openai (table of reasoning_effort).
 */
export function thinkingConfig(upstreamModel: string, effort: Effort, outputBound: number): Json {
  if (/^gemini-[12]\b/.test(upstreamModel)) {
    const least = upstreamModel.includes('-pro') ? PRO_BUDGET_MIN : 0;
    return { thinkingBudget: Math.max(thinkingBudget(budgets[effort], outputBound), least) };
  }
  if (effort !== 'none') return { thinkingLevel: effort.toUpperCase() };
  return { thinkingLevel: upstreamModel.includes('-pro') ? 'LOW' : 'MINIMAL' };
}
