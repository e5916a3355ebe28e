import { type AppError, toOpenAiError } from '@tollgate/errors';
import { isErrorReason, type ModelAnswer, type StopReason, type TokenUsage } from '../../domain/model-answer.js';
import type { TurnInfo } from '../../domain/turn-info.js';
import type { StreamEvent, StreamWriter } from '../dialect.js';
import { chatUsage } from '../openai-chat/chat-answer.js';
import { REFUSAL_TEXT } from '../refusal-text.js';

/** Writes the chunks of a completion: pieces of text, one finish reason, a usage chunk if requested, `[DONE]`. */
export class CompletionsStreamWriter implements StreamWriter {
  readonly #head: string;
  readonly #includeUsage: boolean;
  #hasSaid = false;

  constructor(info: TurnInfo, includeUsage: boolean) {
    this.#head = JSON.stringify(completionHead(info)).slice(0, -1);
    this.#includeUsage = includeUsage;
  }

  /** The dialect has no event for it. */
  start(): undefined {
    return undefined;
  }

  text(delta: string): StreamEvent {
    this.#hasSaid = true;
    return this.#piece(delta, null);
  }

  /** The request declares no tools. */
  toolCall(): undefined {
    return undefined;
  }

  toolArguments(): undefined {
    return undefined;
  }

  end(answer: ModelAnswer, usage: TokenUsage): StreamEvent[] {
    const isSilentRefusal = answer.stopReason === 'refusal' && !this.#hasSaid;
    const events = [this.#piece(isSilentRefusal ? REFUSAL_TEXT : '', completionReason(answer.stopReason))];
    if (this.#includeUsage) {
      events.push({ data: `${this.#head},"choices":[],"usage":${JSON.stringify(chatUsage(usage))}}` });
    }
    events.push({ data: '[DONE]' });
    return events;
  }

  error(error: AppError): StreamEvent {
    return { data: JSON.stringify({ error: toOpenAiError(error) }) };
  }

  #piece(text: string, reason: string | null): StreamEvent {
    const choice = { index: 0, text, logprobs: null, finish_reason: reason };
    return { data: `${this.#head},"choices":[${JSON.stringify(choice)}]}` };
  }
}

/** Returns the members that all events of an answer have in common. */
export function completionHead({ requestId, startedAt, model }: TurnInfo) {
  return { id: `cmpl-${requestId}`, object: 'text_completion', created: Math.floor(startedAt / 1000), model };
}

/** Returns the text of an answer. A refusal without text would look like an empty completion. */
export function answerText({ text, stopReason }: ModelAnswer): string {
  return stopReason === 'refusal' ? text || REFUSAL_TEXT : text;
}

/** Converts a stop reason to the closed set of this dialect. */
export function completionReason(reason: StopReason): string {
  if (reason === 'max_tokens') return 'length';
  const isCut = reason === 'content_filter' || reason === 'refusal' || isErrorReason(reason);
  return isCut ? 'content_filter' : 'stop';
}
