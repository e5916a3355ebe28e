import { AppError } from '@tollgate/errors';
import type { ModelAnswer } from '../../domain/model-answer.js';
import type { ModelListener } from '../contract/provider.js';
import { relayTo } from './relay.js';

/** For JSON without a schema at vendors that do not have it; the answer is checked. */
export const JSON_INSTRUCTION = 'Answer with one JSON value and nothing else: no introduction, no code fences.';

/** Text of a longer answer is no longer held: a provider that ignores its output bound is cut by what it has written. */
const HELD_CHARS_MAX = 4 * 1024 * 1024;
const FENCED = /^```(?:json)?\s*\n([\s\S]*?)\n\s*```$/;

/**
 * Checks an answer that an instruction asks to be JSON. Its text is held until it is whole, and leaves without the fences of a code block;
 * an answer that is no JSON is a fault, which is charged.
 */
export function checkJson(listener: ModelListener): ModelListener {
  let held = '';
  let isStream = false;
  const release = (text: string): void => {
    held = '';
    if (text !== '') listener.onText(text);
  };
  return relayTo(listener, {
    onText(delta) {
      isStream = true;
      held += delta;
      if (held.length > HELD_CHARS_MAX) release(held);
    },
    onAnswer(answer) {
      const text = isStream ? held : answer.text;
      const json = findJson(text);
      const isDue = answer.toolCalls.length === 0 && answer.stopReason === 'stop';
      if (isStream) release(json ?? text);
      const checked: ModelAnswer = isStream || json === undefined ? answer : { ...answer, text: json };
      listener.onAnswer(isDue && json === undefined ? { ...checked, fault: noJson() } : checked);
    },
    onFailure(failure) {
      release(held);
      listener.onFailure(failure);
    },
  });
}

function findJson(text: string): string | undefined {
  const trimmed = text.trim();
  const json = FENCED.exec(trimmed)?.[1]?.trim() ?? trimmed;
  try {
    JSON.parse(json);
    return json;
  } catch {
    return undefined;
  }
}

function noJson(): AppError {
  return new AppError('INVALID_OUTPUT', 'the model was asked for JSON and answered with something else');
}
