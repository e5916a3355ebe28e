import type { StopReason } from '../../domain/model-answer.js';

/** Converts `stopReason`. Source: StopReason of `@aws-sdk/client-bedrock-runtime` 3.1164. */
export function toStopReason(reason: string): StopReason {
  switch (reason) {
    case 'end_turn':
    case 'stop_sequence':
      return 'stop';
    case 'model_context_window_exceeded':
      return 'max_tokens';
    case 'content_filtered':
    case 'guardrail_intervened':
      return 'content_filter';
    case 'malformed_tool_use':
      return 'malformed_function_call';
    case 'malformed_model_output':
      return 'malformed_response';
    default:
      return reason;
  }
}
