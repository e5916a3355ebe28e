import type { StopReason } from '../../domain/model-answer.js';

/**
 * Converts `finish_reason` of chat completions. Unknown ones pass through. An answer that calls tools stops for them, even if a
 * compatible server gives another natural reason or none.
 */
export function toStopReason(finishReason: unknown, hasToolCalls: boolean): StopReason {
  switch (finishReason) {
    case 'length':
    case 'model_length':
    case 'max_tokens':
      return 'max_tokens';
    case 'tool_calls':
    case 'function_call':
      return 'tool_use';
    case 'sensitive':
    case 'safety':
      return 'content_filter';
    default:
      if (typeof finishReason === 'string' && !naturalReasons.has(finishReason)) return finishReason;
      return hasToolCalls ? 'tool_use' : 'stop';
  }
}

/** Natural ends by the names of OpenAI, TGI, and relays of other vendors. */
const naturalReasons: ReadonlySet<unknown> = new Set(['', 'stop', 'eos', 'eos_token', 'end_turn', 'stop_sequence']);
