import type { ToolCall } from '@tollgate/api';
import { type Json, parseObject } from './answer-reading.js';

/** The arguments of a call that goes back to a model. Models write broken JSON at times; providers refuse to read it. */
export function toolArguments(call: ToolCall): Json {
  return parseObject(call.function?.arguments ?? '') ?? {};
}

/** The same as JSON, as the model wrote it where that is an object. */
export function toolArgumentsText(call: ToolCall): string {
  const text = call.function?.arguments ?? '';
  return parseObject(text) ? text : '{}';
}
