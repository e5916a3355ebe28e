import type { StopReason } from '../../domain/model-answer.js';

/** Converts `stop_reason`. Unknown ones, like `pause_turn`, pass through. */
export function toStopReason(reason: string): StopReason {
  switch (reason) {
    case 'end_turn':
    case 'stop_sequence':
      return 'stop';
    case 'model_context_window_exceeded':
      return 'max_tokens';
    default:
      return reason;
  }
}
