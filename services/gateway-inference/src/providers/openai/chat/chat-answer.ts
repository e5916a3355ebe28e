import type { AnswerToolCall, ModelAnswer } from '../../../domain/model-answer.js';
import { argumentsText, CitationList, filterObjects, isObject, toolCallId } from '../../convert/answer-reading.js';
import type { ToolNames } from '../../convert/tool-names.js';
import { toStopReason } from '../stop-reason.js';
import { toTokenUsage } from '../usage.js';

/** The members of a chat completion that are read; each may be missing or have another type. */
export interface ChatCompletion {
  id?: unknown;
  model?: unknown;
  choices?: { message?: ChatMessage; finish_reason?: unknown }[] | null;
  usage?: unknown;
}

interface ChatMessage {
  content?: unknown;
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
  const citations = new CitationList();
  addAnnotations(citations, message.annotations);
  const found = citations.all();
  const finish = typeof choice.finish_reason === 'string' ? toStopReason(choice.finish_reason) : 'stop';
  return {
    responseId,
    stopReason: isRefusal ? 'refusal' : finish,
    text: isRefusal ? (message.refusal as string) : typeof message.content === 'string' ? message.content : '',
    toolCalls: toolCalls(message, responseId, names),
    usage: toTokenUsage(body.usage),
    ...(found ? { citations: found } : {}),
  };
}

/** Adds the output of all choices but the first to a forwarded answer, which is measured by its text if usage is missing. */
export function addOtherChoices(answer: ModelAnswer, { choices }: ChatCompletion): void {
  const others = (filterObjects(choices) as NonNullable<ChatCompletion['choices']>).slice(1);
  for (const { message } of others) {
    if (!message) continue;
    if (typeof message.content === 'string') answer.text += message.content;
    answer.toolCalls = [...answer.toolCalls, ...toolCalls(message, answer.responseId, undefined)];
  }
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
