import { isJsonObject, type JsonObject } from '@tollgate/runtime';
import type { AnswerToolCall, Continuation, ModelAnswer, StopReason, TokenUsage } from '../../domain/model-answer.js';
import type { ModelMessage } from '../../domain/model-request.js';
import type { ModelListener } from '../contract/provider.js';
import {
  argumentsText,
  CitationList,
  figure,
  filterObjects,
  textOrUndefined,
  withReasoning,
} from '../convert/answer-reading.js';
import type { ToolNames } from '../convert/tool-names.js';

/** The request's properties that are needed to read its answer. */
export interface AskedMessage {
  upstreamModel: string;
  names: ToolNames;
  /** The container in which code ran before; the vendor has charged it. */
  container?: string | undefined;
}

/** Converts the parsed body of a message. Returns undefined if it is not a message. */
export function toAnswer(body: JsonObject, { upstreamModel, names, container }: AskedMessage): ModelAnswer | undefined {
  if (!Array.isArray(body.content)) return undefined;
  const blocks = filterObjects(body.content);
  const citations = new CitationList();
  for (const block of blocks) addCitations(citations, block.citations);
  const found = citations.all();
  const calls = blocks.filter(isToolUse);
  return {
    responseId: textOrUndefined(body.id) ?? '',
    stopReason: toStopReason(textOrUndefined(body.stop_reason) ?? 'stop'),
    ...(typeof body.stop_sequence === 'string' ? { stopSequence: body.stop_sequence } : {}),
    text: blocks.map((block) => (block.type === 'text' ? (textOrUndefined(block.text) ?? '') : '')).join(''),
    ...withReasoning(blocks.map(({ thinking }) => textOrUndefined(thinking) ?? '').join('')),
    toolCalls: calls.map((block) => toToolCall(block, names)),
    usage: withCodeRuns(toTokenUsage(body.usage), isSame(body.container, container) ? [] : blocks),
    ...(found ? { citations: found } : {}),
    ...toContinuation(upstreamModel, {
      blocks,
      hasCalls: calls.length > 0,
      stopReason: body.stop_reason,
      container: body.container,
    }),
  };
}

/** Whether the vendor reused the same container. */
export function isSame(container: unknown, id: string | undefined): boolean {
  return id !== undefined && isJsonObject(container) && container.id === id;
}

/** Adds code runs to usage. The vendor charges the container once, regardless of the runs in it. */
export function withCodeRuns(usage: TokenUsage | undefined, blocks: readonly JsonObject[]): TokenUsage | undefined {
  return usage && blocks.some(isCodeRun) ? { ...usage, codeRuns: 1 } : usage;
}

/** Reads id, stop reason and usage from the first and last events, for both readers of a streamed message. */
export class StreamedMessage {
  readonly #listener: ModelListener;
  responseId = '';
  stopReason: string | undefined;
  /** Usage of the whole message, from its last events. */
  usage: TokenUsage | undefined;
  #firstUsage: TokenUsage | undefined;
  #hasReportedFirst = false;

  constructor(listener: ModelListener) {
    this.#listener = listener;
  }

  /** Reads `message_start`. */
  start(message: JsonObject): void {
    this.responseId = textOrUndefined(message.id) ?? '';
    this.#firstUsage = toTokenUsage(message.usage);
  }

  /** Reports the usage of the start. Called with the first output only: a call that fails before output is free. */
  reportFirstUsage(): void {
    if (this.#hasReportedFirst || !this.#firstUsage) return;
    this.#hasReportedFirst = true;
    this.#listener.onUsage(this.#firstUsage);
  }

  /** Reads `message_delta`, and reports its usage. */
  finish({ delta, usage }: JsonObject): void {
    if (isJsonObject(delta) && typeof delta.stop_reason === 'string') this.stopReason = delta.stop_reason;
    this.usage = finalUsage(usage, this.#firstUsage);
    if (this.usage) this.#listener.onUsage(this.usage);
  }

  /** Reads `message_stop`. */
  stop(): void {
    this.stopReason ??= 'end_turn';
  }
}

/** Whether the block is a call of one of the client's tools. */
export function isToolUse(block: JsonObject): boolean {
  return block.type === 'tool_use';
}

/** Whether the block is code that the vendor ran. */
export function isCodeRun(block: JsonObject): boolean {
  const { type, name } = block;
  return type === 'server_tool_use' && typeof name === 'string' && name.endsWith('code_execution');
}

function toToolCall(block: JsonObject, names: ToolNames): AnswerToolCall {
  const name = String(block.name ?? '');
  return { id: String(block.id ?? ''), name: names.original(name), arguments: argumentsText(block.input) };
}

/** Adds the sources of a text. */
export function addCitations(citations: CitationList, list: unknown): void {
  for (const { type, url, title } of filterObjects(list)) {
    if (type === 'web_search_result_location') citations.add(url, title);
  }
}

/** A message in the vendor's own form, sent back when the conversation continues. */
interface KeptMessage {
  blocks: readonly JsonObject[];
  /** The container in which the vendor ran code; the conversation continues in it. */
  container?: string;
}

const PAUSED = 'pause_turn';

/** Returns the form in which to send back a message that calls tools or was paused by the vendor. */
export function toContinuation(
  upstreamModel: string,
  message: { blocks: readonly JsonObject[]; hasCalls: boolean; stopReason: unknown; container: unknown },
): { continuation?: Continuation } {
  const { blocks, hasCalls, stopReason, container } = message;
  if (!hasCalls && stopReason !== PAUSED) return {};
  const id = isJsonObject(container) ? textOrUndefined(container.id) : undefined;
  const content: KeptMessage = { blocks, ...(id === undefined ? {} : { container: id }) };
  return { continuation: { provider: 'anthropic', upstreamModel, content } };
}

/** Returns the message in the vendor's form, if this vendor and model wrote it. */
export function findKeptMessage({ continuation }: ModelMessage, upstreamModel: string): KeptMessage | undefined {
  if (continuation?.provider !== 'anthropic' || continuation.upstreamModel !== upstreamModel) return undefined;
  return continuation.content as KeptMessage;
}

/** Returns the container in which code ran last in this conversation. */
export function findContainer(messages: readonly ModelMessage[], upstreamModel: string): string | undefined {
  return messages
    .map((message) => findKeptMessage(message, upstreamModel)?.container)
    .findLast((id) => id !== undefined);
}

/** Converts `stop_reason`. Unknown ones, like `pause_turn`, pass through. */
export function toStopReason(reason: string): StopReason {
  switch (reason) {
    case 'end_turn':
    case 'stop_sequence':
      return 'stop';
    case 'model_context_window_exceeded':
      return 'max_tokens';
    default:
      return reason;
  }
}

/**
 * Converts `usage`. The vendor counts input separately from cache reads and writes; their sum is what the model read. Figures
 * of a stream are cumulative: `before` has those that a later event leaves out, or that a relay reports as 0.
 *
 * Source: Usage and MessageDeltaUsage of `@anthropic-ai/sdk` 1.12 ("Total input tokens in a request is the summation …").
 */
export function toTokenUsage(usage: unknown, before?: TokenUsage): TokenUsage | undefined {
  if (!isJsonObject(usage)) return before;
  const input = readInput(usage, before);
  const output = figure(usage.output_tokens) ?? before?.outputTokens;
  if (!input || output === undefined) return before;
  const { plain, read, written } = input;
  const searches = readSearches(usage) ?? before?.searches ?? 0;
  const hour = Math.min(readHourWrites(usage) ?? before?.cacheWriteHourTokens ?? 0, written);
  const tier = readServiceTier(usage) ?? before?.serviceTier;
  return {
    inputTokens: plain + read + written,
    outputTokens: output,
    cacheReadInputTokens: read,
    cacheWriteInputTokens: written,
    reasoningTokens: Math.min(readThinkingTokens(usage) ?? before?.reasoningTokens ?? 0, output),
    ...(searches > 0 ? { searches } : {}),
    ...(hour > 0 ? { cacheWriteHourTokens: hour } : {}),
    ...(tier === undefined ? {} : { serviceTier: tier }),
  };
}

interface InputCounters {
  plain: number;
  read: number;
  written: number;
}

/**
 * Returns the counters of input, which do not overlap. Later ones replace earlier ones if they count as much input together:
 * then a 0 means that another counter has it. Otherwise a 0 replaces nothing.
 */
function readInput(usage: JsonObject, before: TokenUsage | undefined): InputCounters | undefined {
  const earlier = before && {
    plain: before.inputTokens - before.cacheReadInputTokens - before.cacheWriteInputTokens,
    read: before.cacheReadInputTokens,
    written: before.cacheWriteInputTokens,
  };
  const plain = figure(usage.input_tokens) ?? earlier?.plain;
  if (plain === undefined) return undefined;
  const read = figure(usage.cache_read_input_tokens) ?? earlier?.read ?? 0;
  const written = figure(usage.cache_creation_input_tokens) ?? earlier?.written ?? 0;
  if (!earlier || !before || plain + read + written >= before.inputTokens) return { plain, read, written };
  return { plain: plain || earlier.plain, read: read || earlier.read, written: written || earlier.written };
}

/** Returns the usage at the end of a stream; undefined if it does not count the output, which its start could not count. */
function finalUsage(usage: unknown, first: TokenUsage | undefined): TokenUsage | undefined {
  return isJsonObject(usage) && figure(usage.output_tokens) !== undefined ? toTokenUsage(usage, first) : undefined;
}

function readSearches({ server_tool_use: used }: JsonObject): number | undefined {
  return isJsonObject(used) ? figure(used.web_search_requests) : undefined;
}

/** Returns the service tier, if it is not the usual one. */
function readServiceTier({ service_tier: tier }: JsonObject): string | undefined {
  return typeof tier === 'string' && tier !== 'standard' ? tier : undefined;
}

function readHourWrites({ cache_creation: created }: JsonObject): number | undefined {
  return isJsonObject(created) ? figure(created.ephemeral_1h_input_tokens) : undefined;
}

function readThinkingTokens({ output_tokens_details: details }: JsonObject): number | undefined {
  return isJsonObject(details) ? figure(details.thinking_tokens) : undefined;
}
