import type { AnswerToolCall, ModelAnswer } from '../../../domain/model-answer.js';
import {
  argumentsText,
  CitationList,
  filterObjects,
  isObject,
  toolCallId,
  withReasoning,
} from '../../convert/answer-reading.js';
import type { ToolNames } from '../../convert/tool-names.js';
import { toStopReason } from '../stop-reason.js';
import { toTokenUsage } from '../usage.js';
import { type ReasoningMembers, reasoningText } from './reasoning.js';

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

/** Corrects the reason of a choice that has ended with calls of tools. Returns whether it was wrong. */
export function repairReason(choice: { finish_reason?: unknown }, hasToolCalls: boolean): boolean {
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

/** Adds `annotations` of a message or a delta: `{type: "url_citation", url_citation: {url, title}}`. */
export function addAnnotations(citations: CitationList, annotations: unknown): void {
  for (const { type, url_citation: citation } of filterObjects(annotations)) {
    if (type === 'url_citation' && isObject(citation)) citations.add(citation.url, citation.title);
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
