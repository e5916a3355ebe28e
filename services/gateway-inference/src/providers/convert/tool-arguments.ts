import type { ToolCall } from '@tollgate/api/model-requests';
import { type Json, parseObject } from './answer-reading.js';

/** Returns the arguments of a call that is sent back to a model. Invalid JSON, which providers reject, becomes `{}`. */
export function toolArguments(call: ToolCall): Json {
  return parseObject(call.function?.arguments ?? '') ?? {};
}

/** Returns the arguments as JSON, unchanged if they are an object. */
export function toolArgumentsText(call: ToolCall): string {
  const text = call.function?.arguments ?? '';
  return parseObject(text) ? text : '{}';
}
