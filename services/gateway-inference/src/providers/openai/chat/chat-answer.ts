import { isJsonObject, type JsonObject } from '@tollgate/runtime';
import type { AnswerToolCall, ModelAnswer, StopReason, TokenUsage } from '../../../domain/model-answer.js';
import {
  argumentsText,
  CitationList,
  figure,
  filterObjects,
  textOrUndefined,
  toolCallId,
  withReasoning,
} from '../../convert/answer-reading.js';
import type { ToolNames } from '../../convert/tool-names.js';

/** The members of a chat completion that are read; each may be missing or have another type. */
export interface ChatCompletion {
  id?: unknown;
  model?: unknown;
  choices?: { message?: ChatMessage; finish_reason?: unknown }[] | null;
  usage?: unknown;
  service_tier?: unknown;
}

interface ChatMessage extends ReasoningMembers {
  refusal?: unknown;
  annotations?: unknown;
  tool_calls?: { id?: unknown; function?: { name?: unknown; arguments?: unknown } }[] | null;
}

/** The members of a streamed chunk that are read; each may be missing or have another type. */
export interface ChatChunk {
  id?: unknown;
  model?: unknown;
  object?: unknown;
  error?: unknown;
  choices?: ChatChoice[] | null;
  usage?: unknown;
  service_tier?: unknown;
}

export interface ChatChoice {
  index?: unknown;
  delta?: ChatDelta | null;
  finish_reason?: unknown;
}

export interface ChatDelta extends ReasoningMembers {
  refusal?: unknown;
  annotations?: unknown;
  tool_calls?: ToolCallDelta[] | null;
}

export type ToolCallDelta = { index?: unknown; id?: unknown; function?: { name?: unknown; arguments?: unknown } };

/** Converts the parsed body of a chat completion. Returns undefined if it is not one. */
export function toAnswer(body: ChatCompletion, names: ToolNames | undefined): ModelAnswer | undefined {
  const choice = Array.isArray(body.choices) ? body.choices[0] : undefined;
  const message = choice?.message;
  if (!message || typeof message !== 'object') return undefined;
  const responseId = typeof body.id === 'string' ? body.id : '';
  const isRefusal = typeof message.refusal === 'string' && message.refusal !== '';
  const calls = toolCalls(message, responseId, names);
  const citations = new CitationList();
  addAnnotations(citations, message.annotations);
  const found = citations.all();
  return {
    responseId,
    stopReason: isRefusal ? 'refusal' : toStopReason(choice.finish_reason, calls.length > 0),
    text: isRefusal ? (message.refusal as string) : contentText(message.content),
    toolCalls: calls,
    usage: toTokenUsage(body.usage, body.service_tier),
    ...withReasoning(reasoningText(message)),
    ...(found ? { citations: found } : {}),
  };
}

/** Adds the output of all choices but the first to a forwarded answer, which is measured by its text if usage is missing. */
export function addOtherChoices(answer: ModelAnswer, { choices }: ChatCompletion): void {
  const others = (filterObjects(choices) as NonNullable<ChatCompletion['choices']>).slice(1);
  for (const { message } of others) {
    if (!message) continue;
    answer.text += contentText(message.content) + reasoningText(message);
    answer.toolCalls = [...answer.toolCalls, ...toolCalls(message, answer.responseId, undefined)];
  }
}

/**
 * Brings an answer into the form that clients of OpenAI expect: text and arguments as strings, and the reason of an answer that
 * calls tools.
 * Some compatible servers differ. Returns whether something changed.
 */
export function repairAnswer({ choices }: ChatCompletion): boolean {
  let isChanged = false;
  for (const choice of filterObjects(choices) as NonNullable<ChatCompletion['choices']>) {
    const { message } = choice;
    if (!message) continue;
    if (Array.isArray(message.content)) {
      message.content = contentText(message.content);
      isChanged = true;
    }
    for (const { function: fn } of filterObjects(message.tool_calls) as NonNullable<ChatMessage['tool_calls']>) {
      if (!fn || (typeof fn.arguments === 'string' && fn.arguments !== '')) continue;
      fn.arguments = argumentsText(fn.arguments);
      isChanged = true;
    }
    if (repairReason(choice, Array.isArray(message.tool_calls) && message.tool_calls.length > 0)) isChanged = true;
  }
  return isChanged;
}

/** Brings a chunk's choices into the form that clients of OpenAI expect. `calling`: the choices that call tools. Returns whether something changed. */
export function repairChunk(choices: readonly ChatChoice[], calling: Set<unknown>): boolean {
  let isChanged = false;
  for (const choice of choices) {
    const { delta, index, finish_reason: reason } = choice;
    if (Array.isArray(delta?.tool_calls) && delta.tool_calls.length > 0) calling.add(index);
    if (delta && Array.isArray(delta.content)) {
      delta.content = contentText(delta.content);
      isChanged = true;
    }
    const hasEnded = typeof reason === 'string' && reason !== '';
    if (hasEnded && repairReason(choice, calling.has(index))) isChanged = true;
  }
  return isChanged;
}

/** Corrects the reason of a choice that has ended with calls of tools. Returns whether it was wrong. */
function repairReason(choice: { finish_reason?: unknown }, hasToolCalls: boolean): boolean {
  const { finish_reason: reason } = choice;
  if (!hasToolCalls || reason === 'tool_calls' || toStopReason(reason, true) !== 'tool_use') return false;
  choice.finish_reason = 'tool_calls';
  return true;
}

/** Returns the text of a message or a delta: some servers send a list of parts, such as Mistral's for its reasoning models. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  return filterObjects(content)
    .map(({ type, text }) => (type === 'text' && typeof text === 'string' ? text : ''))
    .join('');
}

/** Returns the output that a delta adds. */
export function textOfDelta(delta: ChatDelta): string {
  let text = contentText(delta.content) + reasoningText(delta);
  if (typeof delta.refusal === 'string') text += delta.refusal;
  if (!Array.isArray(delta.tool_calls)) return text;
  for (const { function: fn } of delta.tool_calls) {
    if (typeof fn?.name === 'string') text += fn.name;
    if (typeof fn?.arguments === 'string') text += fn.arguments;
  }
  return text;
}

/** Adds `annotations` of a message or a delta: `{type: "url_citation", url_citation: {url, title}}`. */
export function addAnnotations(citations: CitationList, annotations: unknown): void {
  for (const { type, url_citation: citation } of filterObjects(annotations)) {
    if (type === 'url_citation' && isJsonObject(citation)) citations.add(citation.url, citation.title);
  }
}

function toolCalls(message: ChatMessage, responseId: string, names: ToolNames | undefined): AnswerToolCall[] {
  if (!Array.isArray(message.tool_calls)) return [];
  return message.tool_calls.map((call, index) => {
    const name = String(call.function?.name ?? '');
    return {
      id: typeof call.id === 'string' && call.id !== '' ? call.id : toolCallId(responseId, index),
      name: names?.original(name) ?? name,
      arguments: argumentsText(call.function?.arguments),
    };
  });
}

/** The members of a message or a delta in which servers send reasoning. */
export interface ReasoningMembers {
  content?: unknown;
  reasoning_content?: unknown;
  reasoning?: unknown;
  reasoning_text?: unknown;
  thinking?: unknown;
  reasoning_details?: unknown;
}

/**
 * Returns the reasoning of a message or a delta, which counts as output. Servers that send the same reasoning in several
 * members send it in full in each, so the longest member counts.
 *
 * Source: `reasoning_content` of DeepSeek, vLLM, SGLang and llama.cpp; `reasoning` of OpenRouter, Groq, Ollama and newer vLLM;
 * `reasoning_details` of OpenRouter; `reasoning_text` of GitHub Models; parts of type `thinking` of Mistral.
 */
export function reasoningText(message: ReasoningMembers): string {
  const { content, reasoning_details: details } = message;
  const texts = [
    ...[message.reasoning_content, message.reasoning, message.reasoning_text, message.thinking].map(textIn),
    textIn(details),
    filterObjects(content)
      .filter(({ type }) => type === 'thinking' || type === 'reasoning')
      .map(textIn)
      .join(''),
  ];
  return texts.reduce((longest, text) => (text.length > longest.length ? text : longest));
}

/** Text as a string, as an object with a text, or as a list of either. */
function textIn(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(textOfPart).join('');
  return textOfPart(value);
}

function textOfPart(part: unknown): string {
  if (!isJsonObject(part)) return textOrUndefined(part) ?? '';
  const { thinking } = part;
  if (Array.isArray(thinking)) return filterObjects(thinking).map(textOfPart).join('');
  return (
    textOrUndefined(part.text) ??
    textOrUndefined(part.summary) ??
    textOrUndefined(thinking) ??
    textOrUndefined(part.content) ??
    ''
  );
}

/**
 * Converts `finish_reason` of chat completions. Unknown ones pass through. An answer that calls tools stops for them, even if a
 * compatible server gives another natural reason or none.
 */
export function toStopReason(finishReason: unknown, hasToolCalls: boolean): StopReason {
  switch (finishReason) {
    case 'length':
    case 'model_length':
    case 'max_tokens':
      return 'max_tokens';
    case 'tool_calls':
    case 'function_call':
      return 'tool_use';
    case 'sensitive':
    case 'safety':
      return 'content_filter';
    default:
      if (typeof finishReason === 'string' && !naturalReasons.has(finishReason)) return finishReason;
      return hasToolCalls ? 'tool_use' : 'stop';
  }
}

/** Natural ends by the names of OpenAI, TGI, and relays of other vendors. */
const naturalReasons: ReadonlySet<unknown> = new Set(['', 'stop', 'eos', 'eos_token', 'end_turn', 'stop_sequence']);

/**
 * Converts `usage` of chat completions. A total above prompt + completion includes output that the vendor counts separately
 * (xAI's reasoning tokens); it is billed as output, as everywhere.
 *
 * Source: CompletionUsage in the `openai` client library 6.49; docs.x.ai/docs/key-information/consumption-and-rate-limits.
 */
export function toTokenUsage(usage: unknown, serviceTier?: unknown): TokenUsage | undefined {
  if (!isJsonObject(usage)) return undefined;
  const prompt = figure(usage.prompt_tokens);
  const completion = figure(usage.completion_tokens);
  if (prompt === undefined || completion === undefined) return undefined;
  const total = figure(usage.total_tokens) ?? 0;
  const promptDetails = isJsonObject(usage.prompt_tokens_details) ? usage.prompt_tokens_details : {};
  const completionDetails = isJsonObject(usage.completion_tokens_details) ? usage.completion_tokens_details : {};
  const cacheRead = Math.min(figure(promptDetails.cached_tokens) ?? readCached(usage) ?? 0, prompt);
  const output = Math.max(completion, total - prompt);
  return {
    inputTokens: prompt,
    outputTokens: output,
    cacheReadInputTokens: cacheRead,
    cacheWriteInputTokens: Math.min(figure(promptDetails.cache_write_tokens) ?? 0, prompt - cacheRead),
    reasoningTokens: Math.min(figure(completionDetails.reasoning_tokens) ?? 0, output),
    ...(typeof serviceTier === 'string' ? { serviceTier } : {}),
  };
}

/**
 * Returns the cached part of the prompt where servers report it outside of OpenAI's members: DeepSeek and Moonshot.
 *
 * Source: api-docs.deepseek.com/guides/kv_cache (`prompt_cache_hit_tokens`), platform.moonshot.ai/docs/api/chat (`cached_tokens`), read
 * 2026-11-30.
 */
function readCached(usage: JsonObject): number | undefined {
  return figure(usage.prompt_cache_hit_tokens) ?? figure(usage.cached_tokens);
}
