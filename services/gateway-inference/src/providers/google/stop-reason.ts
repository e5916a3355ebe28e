import type { StopReason } from '../../domain/model-answer.js';

/** Reasons of the vendor's filters. */
const filtered = new Set([
  'SAFETY',
  'RECITATION',
  'LANGUAGE',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'IMAGE_SAFETY',
  'IMAGE_PROHIBITED_CONTENT',
  'IMAGE_RECITATION',
  'MODEL_ARMOR',
]);

/** Converts `finishReason`. Unknown ones pass through in lower case. */
export function toStopReason(finishReason: string, hasToolCalls: boolean): StopReason {
  if (filtered.has(finishReason)) return 'content_filter';
  if (finishReason === 'MAX_TOKENS') return 'max_tokens';
  if (finishReason === 'STOP') return hasToolCalls ? 'tool_use' : 'stop';
  return finishReason.toLowerCase();
}
