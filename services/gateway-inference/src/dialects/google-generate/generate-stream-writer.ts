import { type AppError, toGoogleError } from '@tollgate/errors';
import { writeExactJson } from '@tollgate/runtime';
import type { AnswerToolCall, ModelAnswer, TokenUsage } from '../../domain/model-answer.js';
import type { TurnInfo } from '../../domain/turn-info.js';
import type { StreamEvent, StreamWriter } from '../dialect.js';
import { callPart, lastCandidate, parseArguments, responseHead, usageMember } from './generate-answer.js';

type Json = Record<string, unknown>;

/** Name of the event that reports an error. The edge sends its data as the vendor does, without a name. */
const ERROR_EVENT = 'error';

/**
 * Writes one response per piece of the answer. A function call is one part with all its arguments, so a call waits until they are
 * complete. The last response has the finish reason and the usage.
 */
export class GenerateStreamWriter implements StreamWriter {
  readonly #head: Json;
  /** Calls that were not sent yet, by the provider's index, in the order of their start. */
  readonly #calls = new Map<number, AnswerToolCall>();

  constructor(info: TurnInfo) {
    this.#head = responseHead(info);
  }

  /** The dialect has no start event. The vendor's library drops an answer with a response that has no candidate or no part. */
  start(): StreamEvent {
    return this.#piece([{ text: '' }]);
  }

  text(delta: string): StreamEvent[] {
    return [...this.#completeCalls(), this.#piece([{ text: delta }])];
  }

  toolCall(index: number, id: string, name: string): StreamEvent[] {
    const events = this.#completeCalls();
    this.#calls.set(index, { id, name, arguments: '' });
    return events;
  }

  toolArguments(index: number, delta: string): undefined {
    const call = this.#calls.get(index);
    if (call) call.arguments += delta;
  }

  end(answer: ModelAnswer, usage: TokenUsage, forwarded: readonly StreamEvent[]): StreamEvent[] {
    if (forwarded.length > 0) return [...forwarded];
    const parts = [...this.#calls.values()].map(callPart);
    return [toEvent({ ...lastCandidate(answer, parts), ...usageMember(usage), ...this.#head })];
  }

  error(error: AppError): StreamEvent {
    return { event: ERROR_EVENT, data: JSON.stringify(toGoogleError(error)) };
  }

  /** Sends the calls whose arguments are complete, in order: an incomplete one holds the later ones back. */
  #completeCalls(): StreamEvent[] {
    const parts: Json[] = [];
    for (const [index, call] of this.#calls) {
      if (parseArguments(call.arguments) === undefined) break;
      parts.push(callPart(call));
      this.#calls.delete(index);
    }
    return parts.length > 0 ? [this.#piece(parts)] : [];
  }

  #piece(parts: readonly Json[]): StreamEvent {
    return toEvent({ candidates: [{ content: { parts, role: 'model' }, index: 0 }], ...this.#head });
  }
}

function toEvent(response: Json): StreamEvent {
  return { data: writeExactJson(response) };
}
