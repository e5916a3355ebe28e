import type { ProviderId } from '@tollgate/api/model-requests';
import type { ModelAnswer, TokenUsage } from '../../../domain/model-answer.js';
import type { ModelListener } from '../../contract/provider.js';
import type { StreamEnd, VendorEvents } from '../../contract/wire.js';
import { argumentsText, CitationList, filterObjects, parseObject, toolCallId } from '../../convert/answer-reading.js';
import type { ToolNames } from '../../convert/tool-names.js';
import { replaceModel } from '../replace-model.js';
import { toStopReason } from '../stop-reason.js';
import { toStreamFailure } from '../upstream-error.js';
import { toTokenUsage } from '../usage.js';
import { addAnnotations } from './chat-answer.js';
import type { ChatChoice, ChatChunk, ChatDelta, ToolCallDelta } from './chat-chunk.js';
import { type RepeatedChunk, RepeatedChunks } from './repeated-chunks.js';

interface OpenCall {
  /** Index among the calls of the answer. */
  place: number;
  id: string;
}

export interface ChatEventsOptions {
  provider: ProviderId;
  /** Client's spelling of tool names; absent when chunks are forwarded. */
  names: ToolNames | undefined;
  /** If set, chunks are forwarded under this model name instead of converted. */
  forwardAs: { modelName: string; includeUsage: boolean; choices: number } | undefined;
}

/** Reads the chunks of a streamed chat completion. */
export class ChatEvents implements VendorEvents {
  readonly #options: ChatEventsOptions;
  readonly #listener: ModelListener;
  readonly #end: StreamEnd;
  /** The latest call at each of the provider's indexes. */
  readonly #callAt = new Map<number, OpenCall>();
  readonly #calls: OpenCall[] = [];
  readonly #citations = new CitationList();
  readonly #repeated: RepeatedChunks;
  #responseId = '';
  #finishReason: string | undefined;
  /** Choices that have finished, if the client asked for several. */
  readonly #finished = new Set<unknown>();
  #isRefusal = false;
  #usage: TokenUsage | undefined;

  constructor(options: ChatEventsOptions, listener: ModelListener, end: StreamEnd) {
    this.#options = options;
    this.#listener = listener;
    this.#end = end;
    this.#repeated = new RepeatedChunks(options.forwardAs?.modelName);
  }

  get hasStopped(): boolean {
    return this.#finishReason !== undefined;
  }

  /** A stream with a stop reason is complete even without `[DONE]`. */
  finish(): ModelAnswer | undefined {
    return this.#finishReason === undefined ? undefined : this.#answer();
  }

  receive(data: string): void {
    if (data === '[DONE]') {
      this.#finishReason ??= 'stop';
      this.#end.answer(this.#answer());
      return;
    }
    const repeated = this.#repeated.read(data);
    if (repeated) {
      this.#repeat(repeated);
      return;
    }
    const chunk = parseObject(data) as ChatChunk | undefined;
    if (!chunk) {
      this.#end.failUnreadable();
    } else if (chunk.error || chunk.object === 'error') {
      this.#end.fail(toStreamFailure(this.#options.provider, chunk, this.#end.providerRequestId));
    } else {
      this.#read(data, chunk);
      this.#repeated.learn(data, chunk);
    }
  }

  #repeat({ text, data }: RepeatedChunk): void {
    if (this.#options.forwardAs) this.#listener.onForward(data, text, this.#finishReason !== undefined);
    else if (text !== '') this.#listener.onText(text);
  }

  #read(data: string, chunk: ChatChunk): void {
    if (typeof chunk.id === 'string' && chunk.id !== '') this.#responseId = chunk.id;
    const choices = filterObjects(chunk.choices) as ChatChoice[];
    for (const choice of choices) this.#readFinish(choice);
    if (this.#options.forwardAs) this.#forward(data, chunk, choices);
    else if (choices[0]?.delta) this.#emit(choices[0].delta);
    this.#readUsage(chunk.usage);
  }

  /** The answer has stopped when its last choice has. */
  #readFinish({ index, finish_reason: finish }: ChatChoice): void {
    if (typeof finish !== 'string' || finish === '') return;
    this.#finished.add(index);
    if (this.#finished.size >= (this.#options.forwardAs?.choices ?? 1)) this.#finishReason = finish;
  }

  /** Reads usage after the chunk's output, which it counts. */
  #readUsage(usage: unknown): void {
    const read = toTokenUsage(usage);
    if (!read) return;
    this.#usage = read;
    this.#listener.onUsage(read);
  }

  #emit(delta: ChatDelta): void {
    if (typeof delta.content === 'string' && delta.content !== '') this.#listener.onText(delta.content);
    if (typeof delta.refusal === 'string' && delta.refusal !== '') {
      this.#listener.onText(delta.refusal);
      this.#isRefusal = true;
    }
    addAnnotations(this.#citations, delta.annotations);
    if (!Array.isArray(delta.tool_calls)) return;
    for (const [position, call] of delta.tool_calls.entries()) {
      const { place } = this.#findCall(call, typeof call.index === 'number' ? call.index : position);
      const more = call.function?.arguments;
      if (more !== undefined && more !== null && more !== '')
        this.#listener.onToolArguments(place, argumentsText(more));
    }
  }

  /** Returns the call that a delta belongs to. Some servers give all calls the same index: a new id opens a new call. */
  #findCall({ id, function: fn }: ToolCallDelta, index: number): OpenCall {
    const known = this.#callAt.get(index);
    const newId = typeof id === 'string' && id !== '' && id !== known?.id ? id : undefined;
    if (known && newId === undefined) return known;
    const call =
      this.#calls.find((open) => open.id === newId) ??
      this.#open(newId ?? toolCallId(this.#responseId, index), String(fn?.name ?? ''));
    this.#callAt.set(index, call);
    return call;
  }

  #open(id: string, name: string): OpenCall {
    const call = { place: this.#calls.length, id };
    this.#calls.push(call);
    this.#listener.onToolCall(call.place, id, this.#options.names?.original(name) ?? name);
    return call;
  }

  #forward(data: string, chunk: ChatChunk, choices: readonly ChatChoice[]): void {
    const { modelName, includeUsage } = this.#options.forwardAs!;
    // This service requested the usage chunk; a client that did not request it does not get it.
    if (!includeUsage && !chunk.choices?.length) return;
    const isLast = this.#finishReason !== undefined;
    let text = '';
    for (const { delta } of choices) if (delta) text += textOfDelta(delta);
    this.#listener.onForward(replaceModel(data, chunk, modelName), text, isLast);
  }

  #answer(): ModelAnswer {
    const citations = this.#citations.all();
    return {
      responseId: this.#responseId,
      stopReason: this.#isRefusal ? 'refusal' : toStopReason(this.#finishReason ?? 'stop'),
      text: '',
      toolCalls: [],
      usage: this.#usage,
      ...(citations ? { citations } : {}),
    };
  }
}

function textOfDelta(delta: ChatDelta): string {
  let text = typeof delta.content === 'string' ? delta.content : '';
  if (typeof delta.refusal === 'string') text += delta.refusal;
  if (!Array.isArray(delta.tool_calls)) return text;
  for (const { function: fn } of delta.tool_calls) {
    if (typeof fn?.name === 'string') text += fn.name;
    if (typeof fn?.arguments === 'string') text += fn.arguments;
  }
  return text;
}
