import type { IncomingHttpHeaders } from 'node:http';
import type { ProviderId } from '@tollgate/api/model-requests';
import { writeExactJson } from '@tollgate/runtime';
import type { ModelAnswer, TokenUsage } from '../../../domain/model-answer.js';
import type { ProviderFailure } from '../../../domain/provider-failure.js';
import type { ForwardedRequest, ModelListener } from '../../contract/provider.js';
import type { StreamEnd, VendorEvents, Wire } from '../../contract/wire.js';
import { argumentsText, CitationList, filterObjects, parseObject, toolCallId } from '../../convert/answer-reading.js';
import type { ToolNames } from '../../convert/tool-names.js';
import { replaceModel } from '../replace-model.js';
import { toFailure, toStreamFailure } from '../upstream-error.js';
import {
  addAnnotations,
  addOtherChoices,
  type ChatChoice,
  type ChatChunk,
  type ChatCompletion,
  type ChatDelta,
  contentText,
  reasoningText,
  repairAnswer,
  repairChunk,
  type ToolCallDelta,
  textOfDelta,
  toAnswer,
  toStopReason,
  toTokenUsage,
} from './chat-answer.js';
import { type RepeatedChunk, RepeatedChunks } from './repeated-chunks.js';

/** Reads chat completions: converts them, or forwards them to a client that speaks the dialect itself. */
export class ChatWire implements Wire {
  readonly provider: ProviderId;
  readonly #names: ToolNames | undefined;
  readonly #forward: ForwardedRequest | undefined;

  constructor(provider: ProviderId, names: ToolNames | undefined, forward: ForwardedRequest | undefined) {
    this.provider = provider;
    this.#names = names;
    this.#forward = forward;
  }

  get converted(): Wire {
    return this.#forward ? new ChatWire(this.provider, this.#names, undefined) : this;
  }

  readAnswer(body: object, text: string): ModelAnswer | undefined {
    const completion = body as ChatCompletion;
    const answer = toAnswer(completion, this.#names);
    if (answer && this.#forward) {
      addOtherChoices(answer, completion);
      const whole = repairAnswer(completion) ? writeExactJson(completion) : text;
      answer.forwarded = Buffer.from(replaceModel(whole, completion, this.#forward.modelName));
    }
    return answer;
  }

  openEvents(listener: ModelListener, end: StreamEnd): VendorEvents {
    const forward = this.#forward;
    const forwardAs = forward && {
      modelName: forward.modelName,
      includeUsage: asksForUsage(forward.body),
      choices: Number(forward.body.n ?? 1),
    };
    return new ChatEvents({ provider: this.provider, names: this.#names, forwardAs }, listener, end);
  }

  readFailure(status: number, headers: IncomingHttpHeaders, text: string): ProviderFailure {
    return toFailure(this.provider, status, headers, text);
  }

  readLateFailure(body: object, providerRequestId: string | undefined): ProviderFailure {
    return toStreamFailure(this.provider, body, providerRequestId);
  }
}

function asksForUsage(body: Readonly<Record<string, unknown>>): boolean {
  const options = body.stream_options as { include_usage?: boolean } | null | undefined;
  return options?.include_usage === true;
}

/** A call while its parts arrive. Most servers send id and name together; some send the one after the other. */
interface OpenCall {
  /** Index among the calls of the answer. */
  place: number;
  id: string;
  name: string;
  /** Arguments that arrived before the name. */
  waiting: string;
  /** The listener knows it; its id and name are final. */
  isReported: boolean;
  /** Arguments came before an id. */
  isIdOurs: boolean;
  hasArguments: boolean;
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
  /** Choices that call tools. */
  readonly #calling = new Set<unknown>();
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
      this.#end.fail(
        toStreamFailure(this.#options.provider, chunk, this.#end.providerRequestId, toTokenUsage(chunk.usage)),
      );
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
    this.#readUsage(chunk);
  }

  /** The answer has stopped when its last choice has. */
  #readFinish({ index, finish_reason: finish }: ChatChoice): void {
    if (typeof finish !== 'string' || finish === '') return;
    this.#finished.add(index);
    if (this.#finished.size >= (this.#options.forwardAs?.choices ?? 1)) this.#finishReason = finish;
  }

  /** Reads usage after the chunk's output, which it counts. */
  #readUsage({ usage, service_tier: serviceTier }: ChatChunk): void {
    const read = toTokenUsage(usage, serviceTier);
    if (!read) return;
    this.#usage = read;
    this.#listener.onUsage(read);
  }

  #emit(delta: ChatDelta): void {
    const text = contentText(delta.content);
    if (text !== '') this.#listener.onText(text);
    if (typeof delta.refusal === 'string' && delta.refusal !== '') {
      this.#listener.onText(delta.refusal);
      this.#isRefusal = true;
    }
    const reasoning = reasoningText(delta);
    if (reasoning !== '') this.#listener.onReasoning(reasoning);
    addAnnotations(this.#citations, delta.annotations);
    if (!Array.isArray(delta.tool_calls)) return;
    for (const [position, call] of delta.tool_calls.entries()) {
      const open = this.#findCall(call, typeof call.index === 'number' ? call.index : position);
      const more = call.function?.arguments ?? '';
      if (more !== '') open.waiting += argumentsText(more);
      this.#report(open);
    }
  }

  /** Reports a call once its name is known, and its id unless arguments come first. */
  #report(call: OpenCall, isLast = false): void {
    if (!call.isReported) {
      const isComplete = call.name !== '' && (call.id !== '' || call.waiting !== '');
      if (!isComplete && !isLast) return;
      call.isReported = true;
      call.isIdOurs = call.id === '';
      if (call.isIdOurs) call.id = toolCallId(this.#responseId, call.place);
      this.#listener.onToolCall(call.place, call.id, this.#options.names?.original(call.name) ?? call.name);
    }
    // A call without arguments: clients parse them.
    if (isLast && !call.hasArguments && call.waiting === '') call.waiting = '{}';
    if (call.waiting === '') return;
    call.hasArguments = true;
    this.#listener.onToolArguments(call.place, call.waiting);
    call.waiting = '';
  }

  /** Returns the call that a delta belongs to. Some servers give all calls the same index: a new id or name opens a new call. */
  #findCall({ id, function: fn }: ToolCallDelta, index: number): OpenCall {
    const newId = typeof id === 'string' ? id : '';
    const newName = typeof fn?.name === 'string' ? fn.name : '';
    const known = this.#callAt.get(index);
    const call = known && isSameCall(known, newId, newName) ? known : this.#findOrOpen(newId);
    this.#callAt.set(index, call);
    if (call.isReported) return call;
    call.id ||= newId;
    call.name ||= newName;
    return call;
  }

  #findOrOpen(id: string): OpenCall {
    const found = id === '' ? undefined : this.#calls.find((open) => open.id === id);
    if (found) return found;
    const call = {
      place: this.#calls.length,
      id,
      name: '',
      waiting: '',
      isReported: false,
      isIdOurs: false,
      hasArguments: false,
    };
    this.#calls.push(call);
    return call;
  }

  #forward(data: string, chunk: ChatChunk, choices: readonly ChatChoice[]): void {
    const { modelName, includeUsage } = this.#options.forwardAs!;
    // This service requested the usage chunk; a client that did not request it does not get it.
    if (!includeUsage && !chunk.choices?.length) return;
    const isLast = this.#finishReason !== undefined;
    let text = '';
    for (const { delta } of choices) if (delta) text += textOfDelta(delta);
    const whole = repairChunk(choices, this.#calling) ? writeExactJson(chunk) : data;
    this.#listener.onForward(replaceModel(whole, chunk, modelName), text, isLast);
  }

  #answer(): ModelAnswer {
    for (const call of this.#calls) this.#report(call, true);
    const hasCalls = this.#calls.length > 0 || this.#calling.size > 0;
    const citations = this.#citations.all();
    return {
      responseId: this.#responseId,
      stopReason: this.#isRefusal ? 'refusal' : toStopReason(this.#finishReason, hasCalls),
      text: '',
      toolCalls: [],
      usage: this.#usage,
      ...(citations ? { citations } : {}),
    };
  }
}

/** Whether a delta at the index of a call continues it: a server that shares one index gives each call its own id or name. */
function isSameCall(known: OpenCall, id: string, name: string): boolean {
  if (known.name !== '' && name !== '' && known.name !== name) return false;
  return id === '' || known.id === '' || known.isIdOurs || known.id === id;
}
