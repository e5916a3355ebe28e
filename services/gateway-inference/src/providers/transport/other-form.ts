import type { AnswerToolCall, ModelAnswer } from '../../domain/model-answer.js';
import type { ModelListener } from '../contract/provider.js';
import { withReasoning } from '../convert/answer-reading.js';

// Some compatible servers ignore whether a stream was requested. Their answer is brought into the requested form.

/** Emits a whole answer as the output of a stream. */
export function emitAsStream(answer: ModelAnswer, listener: ModelListener): void {
  listener.onOpen();
  if (answer.reasoning) listener.onReasoning(answer.reasoning);
  if (answer.text !== '') listener.onText(answer.text);
  for (const [index, { id, name, arguments: text }] of answer.toolCalls.entries()) {
    listener.onToolCall(index, id, name);
    listener.onToolArguments(index, text);
  }
  listener.onAnswer({ ...answer, text: '', toolCalls: [] });
}

/** Collects the output of a stream into a whole answer; `failTooLarge` is called once when it passes the bound. */
export function collectStream(listener: ModelListener, charactersMax: number, failTooLarge: () => void): ModelListener {
  let text = '';
  let reasoning = '';
  const calls = new Map<number, AnswerToolCall>();
  let charactersLeft = charactersMax;
  const take = (delta: string): boolean => {
    if (charactersLeft < 0) return false;
    charactersLeft -= delta.length;
    if (charactersLeft < 0) failTooLarge();
    return charactersLeft >= 0;
  };
  return {
    onOpen: () => {},
    onText: (delta) => {
      if (take(delta)) text += delta;
    },
    onReasoning: (delta) => {
      if (take(delta)) reasoning += delta;
    },
    onToolCall: (index, id, name) => {
      if (take(id + name)) calls.set(index, { id, name, arguments: '' });
    },
    onToolArguments: (index, delta) => {
      const call = calls.get(index);
      if (call && take(delta)) call.arguments += delta;
    },
    onForward: () => {},
    onUsage: () => {},
    onAnswer: (answer) =>
      listener.onAnswer({ ...answer, text, ...withReasoning(reasoning), toolCalls: [...calls.values()] }),
    onFailure: (failure) => listener.onFailure(failure),
  };
}
