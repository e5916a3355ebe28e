import type { ResponseResource } from '@tollgate/api/model-requests';
import { isJsonObject, type Json, type JsonObject, writeJson } from '../values/json.js';
import { readAnswerText } from './answer-reader.js';

/**
 * Returns the assistant's message that a run appends to its session: the run's output if it has exactly one, otherwise
 * the last answer of a model. Empty when there is none.
 */
export function finalText(outputs: JsonObject, lastAnswer: ResponseResource | undefined): string {
  const [only, ...others] = Object.values(outputs);
  if (only === undefined || only === null || others.length > 0) return lastAnswer ? readAnswerText(lastAnswer) : '';
  if (typeof only === 'string') return only;
  return isAnswer(only) ? readAnswerText(only) : writeJson(only);
}

function isAnswer(value: Json): value is Json & ResponseResource {
  return isJsonObject(value) && Array.isArray(value.output) && typeof value.stop_reason === 'string';
}
