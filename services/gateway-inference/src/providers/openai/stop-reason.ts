import type { StopReason } from '../../domain/model-answer.js';

/** Converts `finish_reason` of chat completions. Unknown ones pass through. */
export function toStopReason(finishReason: string): StopReason {
  switch (finishReason) {
    case 'length':
      return 'max_tokens';
    case 'tool_calls':
    case 'function_call':
      return 'tool_use';
    default:
      return finishReason;
  }
}
