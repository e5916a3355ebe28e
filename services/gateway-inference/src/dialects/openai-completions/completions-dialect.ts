import { type CompletionsBody, completionPrompt, inputOfCompletion } from '@tollgate/api/compatible';
import { type AppError, toOpenAiError } from '@tollgate/errors';
import { isErrorReason, type ModelAnswer, type StopReason, type TokenUsage } from '../../domain/model-answer.js';
import type { ModelRequest } from '../../domain/model-request.js';
import { isNotZero, isSet, listCommon, type RequestedParameter, toSampling } from '../../domain/optional-parameters.js';
import type { TurnInfo } from '../../domain/turn-info.js';
import { textParts } from '../content-parts.js';
import type { Dialect, StreamEvent, StreamWriter } from '../dialect.js';
import { chatUsage, REFUSAL_TEXT } from '../openai-chat/chat-answer.js';

/** `POST /v1/completions`: the prompt is the only message of a chat, whose answer is the completion. */
export const completionsDialect: Dialect<CompletionsBody> = {
  forwardable: undefined,
  capabilities: () => [],
  toModelRequest,
  parameters: findParameters,
  input: inputOfCompletion,
  modelName: (body, modelId) => body.model ?? modelId,
  writeAnswer,
  openStream: (info, body) => new CompletionsStreamWriter(info, body.stream_options?.include_usage === true),
};

function toModelRequest(body: CompletionsBody): ModelRequest {
  const { temperature, top_p: topP, stop } = body;
  return {
    messages: [{ role: 'user', content: textParts(completionPrompt(body)), toolCalls: [], toolCallId: undefined }],
    tools: [],
    toolChoice: undefined,
    outputFormat: undefined,
    temperature: temperature ?? undefined,
    topP: topP ?? undefined,
    stop: typeof stop === 'string' ? [stop] : (stop ?? []),
    reasoningEffort: undefined,
    ...toSampling(findParameters(body)),
  };
}

function findParameters(body: CompletionsBody): RequestedParameter[] {
  const { frequency_penalty: frequency, presence_penalty: presence, seed, top_k: topK, logit_bias: bias } = body;
  const found: RequestedParameter[] = [];
  const add = (parameter: RequestedParameter['parameter'], value: unknown, asksForIt: boolean): void => {
    if (asksForIt) found.push({ parameter, field: parameter, value });
  };
  add('frequency_penalty', frequency, isNotZero(frequency));
  add('logit_bias', bias, typeof bias === 'object' && bias !== null && Object.keys(bias).length > 0);
  add('presence_penalty', presence, isNotZero(presence));
  add('seed', seed, isSet(seed));
  add('top_k', topK, typeof topK === 'number' && topK > 0);
  return [...found, ...listCommon({ temperature: body.temperature, topP: body.top_p })];
}

function writeAnswer(info: TurnInfo, answer: ModelAnswer, usage: TokenUsage): string {
  const choice = {
    index: 0,
    text: answerText(answer),
    logprobs: null,
    finish_reason: completionReason(answer.stopReason),
  };
  return JSON.stringify({ ...completionHead(info), choices: [choice], usage: chatUsage(usage) });
}

/** Writes the chunks of a completion: pieces of text, one finish reason, a usage chunk if requested, `[DONE]`. */
class CompletionsStreamWriter implements StreamWriter {
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
function completionHead({ requestId, startedAt, model }: TurnInfo) {
  return { id: `cmpl-${requestId}`, object: 'text_completion', created: Math.floor(startedAt / 1000), model };
}

/** Returns the text of an answer. A refusal without text would look like an empty completion. */
function answerText({ text, stopReason }: ModelAnswer): string {
  return stopReason === 'refusal' ? text || REFUSAL_TEXT : text;
}

/** Converts a stop reason to the closed set of this dialect. */
export function completionReason(reason: StopReason): string {
  if (reason === 'max_tokens') return 'length';
  const isCut = reason === 'content_filter' || reason === 'refusal' || isErrorReason(reason);
  return isCut ? 'content_filter' : 'stop';
}
