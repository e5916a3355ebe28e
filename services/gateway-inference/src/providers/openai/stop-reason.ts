import type { StopReason } from '../../domain/model-answer.js';

/** `finish_reason` of chat completions → our word. Unknown ones pass. */
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
