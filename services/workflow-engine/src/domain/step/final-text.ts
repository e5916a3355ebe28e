import type { ResponseResource } from '@tollgate/api';
import { isJsonObject, type Json, type JsonObject } from '../values/json.js';
import { textOf } from './answer-reader.js';

/**
 * What a run says in the end, as the assistant's message of a conversation: its output where it declares one, else the
 * last answer of a model. Empty when there is nothing to say.
 */
export function finalText(outputs: JsonObject, lastAnswer: ResponseResource | undefined): string {
  const [only, ...others] = Object.values(outputs);
  if (only === undefined || only === null || others.length > 0) return lastAnswer ? textOf(lastAnswer) : '';
  if (typeof only === 'string') return only;
  return isAnswer(only) ? textOf(only) : JSON.stringify(only);
}

function isAnswer(value: Json): value is Json & ResponseResource {
  return isJsonObject(value) && Array.isArray(value.output) && typeof value.stop_reason === 'string';
}
