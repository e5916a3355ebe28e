import type { ModelRequest } from '../domain/model-request.js';
import { refused } from './refused.js';

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
