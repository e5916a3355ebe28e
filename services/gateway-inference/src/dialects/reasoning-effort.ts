import type { ModelRequest } from '../domain/model-request.js';
import { refused } from './refused.js';

/** Thinking budgets up to which the effort is low or medium. */
const LOW_BUDGET_TOKENS_MAX = 4_096;
const MEDIUM_BUDGET_TOKENS_MAX = 16_384;

/** Maps the dialects' finer steps to the nearest of ours. */
export function toReasoningEffort(effort: string | null | undefined, field: string): ModelRequest['reasoningEffort'] {
  switch (effort) {
    case null:
    case undefined:
      return undefined;
    case 'none':
    case 'low':
    case 'medium':
    case 'high':
      return effort;
    case 'minimal':
      return 'low';
    case 'xhigh':
    case 'max':
      return 'high';
    default:
      throw refused(field, 'must be one of none, minimal, low, medium, high, xhigh');
  }
}

/** Returns a thinking budget as one of our steps. */
export function budgetEffort(tokens: number): ModelRequest['reasoningEffort'] {
  if (tokens === 0) return 'none';
  if (tokens <= LOW_BUDGET_TOKENS_MAX) return 'low';
  return tokens <= MEDIUM_BUDGET_TOKENS_MAX ? 'medium' : 'high';
}
