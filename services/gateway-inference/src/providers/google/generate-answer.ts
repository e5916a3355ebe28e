import { isJsonObject, type JsonObject } from '@tollgate/runtime';
import type { AnswerToolCall, ModelAnswer, StopReason, TokenUsage } from '../../domain/model-answer.js';
import {
  argumentsText,
  CitationList,
  figure,
  filterObjects,
  textOrUndefined,
  toolCallId,
} from '../convert/answer-reading.js';
import type { ToolNames } from '../convert/tool-names.js';

/** The output of one part of an answer. */
interface PartListener {
  onText(text: string): void;
  /** Thoughts, which only a client of the vendor's own dialect gets. */
  onThought(text: string): void;
  onToolCall(call: AnswerToolCall, index: number): void;
}

/**
 * Collects the answer from one response, or from the responses of a stream, which have the same form: parts are appended,
 * counts are cumulative.
 *
 * Source: GenerateContentResponse, Candidate, Part and GroundingMetadata of `@google/genai` 2.32.
 */
export class ResponseReader {
  readonly #upstreamModel: string;
  readonly #names: Pick<ToolNames, 'areDeclared' | 'original'>;
  readonly #listener: PartListener;
  readonly #citations = new CitationList();
  readonly #queries = new Set<string>();
  readonly #parts: JsonObject[] = [];
  #calls = 0;
  #hasOutput = false;
  #responseId = '';
  #finishReason: string | undefined;
  #usage: TokenUsage | undefined;

  constructor(upstreamModel: string, names: Pick<ToolNames, 'areDeclared' | 'original'>, listener: PartListener) {
    this.#upstreamModel = upstreamModel;
    this.#names = names;
    this.#listener = listener;
  }

  /** Usage so far; undefined before the first output, because another route may still take over. */
  get usage(): TokenUsage | undefined {
    return this.#hasOutput ? this.#usage : undefined;
  }

  get hasStopped(): boolean {
    return this.#finishReason !== undefined;
  }

  /** Returns false if the body is not a response. */
  read(body: JsonObject): boolean {
    const [candidate] = filterObjects(body.candidates);
    const blocked = isJsonObject(body.promptFeedback) ? textOrUndefined(body.promptFeedback.blockReason) : undefined;
    if (!candidate && blocked === undefined && !isJsonObject(body.usageMetadata)) return false;
    this.#responseId = textOrUndefined(body.responseId) ?? this.#responseId;
    this.#usage = toTokenUsage(body.usageMetadata) ?? this.#usage;
    if (blocked !== undefined) this.#finishReason ??= 'SAFETY';
    if (!candidate) return true;
    this.#finishReason = textOrUndefined(candidate.finishReason) ?? this.#finishReason;
    this.#readGrounding(candidate.groundingMetadata);
    for (const part of isJsonObject(candidate.content) ? filterObjects(candidate.content.parts) : [])
      this.#readPart(part);
    return true;
  }

  /** Returns the answer once the stop reason has arrived. */
  answer(): ModelAnswer | undefined {
    if (this.#finishReason === undefined) return undefined;
    const citations = this.#citations.all();
    const upstreamModel = this.#upstreamModel;
    const continuation = { provider: 'google-ai-studio', upstreamModel, content: this.#parts } as const;
    return {
      responseId: this.#responseId,
      stopReason: toStopReason(this.#finishReason, this.#calls > 0),
      text: '',
      toolCalls: [],
      usage: this.#withTools(),
      ...(citations ? { citations } : {}),
      ...(this.#calls > 0 ? { continuation } : {}),
    };
  }

  #readPart(part: JsonObject): void {
    if (this.#names.areDeclared) this.#parts.push(part);
    if (part.thought === true) {
      if (typeof part.text !== 'string' || part.text === '') return;
      this.#hasOutput = true;
      this.#listener.onThought(part.text);
      return;
    }
    if (typeof part.text === 'string' && part.text !== '') {
      this.#hasOutput = true;
      this.#listener.onText(part.text);
    }
    if (!isJsonObject(part.functionCall)) return;
    this.#hasOutput = true;
    const { id, name, args } = part.functionCall;
    const offered = String(name ?? '');
    const index = this.#calls++;
    const callId = typeof id === 'string' && id !== '' ? id : toolCallId(this.#responseId, index);
    // The result of the call refers to this id.
    if (id !== callId) part.functionCall = { ...part.functionCall, id: callId };
    this.#listener.onToolCall(
      { id: callId, name: this.#names.original(offered), arguments: argumentsText(args) },
      index,
    );
  }

  #readGrounding(metadata: unknown): void {
    if (!isJsonObject(metadata)) return;
    for (const { web } of filterObjects(metadata.groundingChunks)) {
      if (isJsonObject(web)) this.#citations.add(web.uri, web.title);
    }
    if (Array.isArray(metadata.webSearchQueries))
      // The vendor does not charge empty queries.
      for (const query of metadata.webSearchQueries)
        if (typeof query === 'string' && query.trim() !== '') this.#queries.add(query);
  }

  /** Searches are charged by query since Gemini 3, and by request before; code runs cost only tokens. */
  #withTools(): TokenUsage | undefined {
    if (!this.#usage || this.#queries.size === 0) return this.#usage;
    const isByRequest = /^gemini-[12]\b/.test(this.#upstreamModel);
    return { ...this.#usage, searches: isByRequest ? 1 : this.#queries.size };
  }
}

/** Reasons of the vendor's filters. */
const filtered = new Set([
  'SAFETY',
  'RECITATION',
  'LANGUAGE',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'IMAGE_SAFETY',
  'IMAGE_PROHIBITED_CONTENT',
  'IMAGE_RECITATION',
  'MODEL_ARMOR',
]);

/** Converts `finishReason`. Unknown ones pass through in lower case. */
export function toStopReason(finishReason: string, hasToolCalls: boolean): StopReason {
  if (filtered.has(finishReason)) return 'content_filter';
  if (finishReason === 'MAX_TOKENS') return 'max_tokens';
  if (finishReason === 'STOP') return hasToolCalls ? 'tool_use' : 'stop';
  return finishReason.toLowerCase();
}

/**
 * Converts `usageMetadata`. It counts thoughts and the input of the vendor's tools separately, and the cached part as part of
 * the prompt.
 *
 * Source: GenerateContentResponseUsageMetadata of `@google/genai` 2.32 ("the sum of prompt_token_count,
 * candidates_token_count, tool_use_prompt_token_count, and thoughts_token_count").
 */
export function toTokenUsage(usage: unknown): TokenUsage | undefined {
  if (!isJsonObject(usage)) return undefined;
  const prompt = figure(usage.promptTokenCount);
  if (prompt === undefined) return undefined;
  const thoughts = figure(usage.thoughtsTokenCount) ?? 0;
  return {
    inputTokens: prompt + (figure(usage.toolUsePromptTokenCount) ?? 0),
    outputTokens: (figure(usage.candidatesTokenCount) ?? 0) + thoughts,
    cacheReadInputTokens: Math.min(figure(usage.cachedContentTokenCount) ?? 0, prompt),
    cacheWriteInputTokens: 0,
    reasoningTokens: thoughts,
  };
}
