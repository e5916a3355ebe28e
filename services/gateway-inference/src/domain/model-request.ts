import type { ContentPart, FilePart, OutputFormat, ToolCall, ToolChoice } from '@tollgate/api/model-requests';
import type { Continuation } from './model-answer.js';

/** A request to a model, independent of the client's dialect. Adapters convert it to their vendor's format. */
export interface ModelRequest {
  messages: readonly ModelMessage[];
  tools: readonly FunctionTool[];
  toolChoice: ToolChoice | undefined;
  outputFormat: OutputFormat | undefined;
  temperature: number | undefined;
  topP: number | undefined;
  stop: readonly string[];
  reasoningEffort: 'none' | 'low' | 'medium' | 'high' | undefined;
  /** Tools that the provider runs itself; absent = none. */
  providerTools?: readonly ProviderTool[];
  /** False: one tool call at a time. Absent: the provider's default. */
  parallelToolCalls?: boolean;
  /** Absent if the request names none of its members. */
  sampling?: Sampling;
}

/** How tokens are drawn, as far as not every provider supports it. */
export interface Sampling {
  frequencyPenalty?: number;
  presencePenalty?: number;
  seed?: number;
  topK?: number;
}

/** Tools that run at the provider, by the contract's names. */
export type ProviderToolType = 'web' | 'x_search' | 'code_execution';

export interface ProviderTool {
  type: ProviderToolType;
  /** As the client wrote them; each provider uses those it supports. */
  options: Readonly<Record<string, unknown>>;
}

/** An image that the client links to instead of sending it. Not every provider reads it from there. */
export interface LinkedImage {
  type: 'linked_image';
  /** Begins with https: */
  url: string;
  /** Where the client wrote it. */
  field: string;
}

export type ModelPart = ContentPart | LinkedImage;

export interface ModelMessage {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: readonly ModelPart[];
  toolCalls: readonly ToolCall[];
  toolCallId: string | undefined;
  /** Set for an assistant message that a provider wrote earlier in this turn: its own form of it. */
  continuation?: Continuation;
}

export interface FunctionTool {
  name: string;
  description: string | undefined;
  parameters: Record<string, unknown> | undefined;
}

/** Whether the answer must be one JSON value. */
export function asksForJson(request: ModelRequest): boolean {
  return request.outputFormat !== undefined && request.outputFormat.type !== 'text';
}

/** Returns all text of a message in order, without its files. */
export function messageText(message: ModelMessage): string {
  let text = '';
  for (const part of message.content) if (part.type === 'text') text += part.text;
  return text;
}

/** Returns the text of a message that is counted: its text and its tool calls. */
export function textOfMessage(message: ModelMessage): string {
  let text = messageText(message);
  for (const { function: fn } of message.toolCalls) text += fn ? fn.name + fn.arguments : '';
  return text;
}

/** Returns all links to images of the request, in order. A URL is listed as often as the request links to it. */
export function listLinkedImages({ messages }: ModelRequest): LinkedImage[] {
  return messages.flatMap(({ content }) => content.filter((part) => part.type === 'linked_image'));
}

/** Returns the request with the images themselves, by their URL, instead of links to them. */
export function inlineImages(request: ModelRequest, images: ReadonlyMap<string, FilePart>): ModelRequest {
  const messages = request.messages.map((message) => {
    if (!message.content.some(({ type }) => type === 'linked_image')) return message;
    const content = message.content.map((part) => (part.type === 'linked_image' && images.get(part.url)) || part);
    return { ...message, content };
  });
  return { ...request, messages };
}
