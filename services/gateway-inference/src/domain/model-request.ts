import type { ContentPart, OutputFormat, ToolCall, ToolChoice } from '@tollgate/api';
import type { Continuation } from './model-answer.js';

/** What is asked of a model, whatever dialect it was asked in. Providers translate this into their own words. */
export interface ModelRequest {
  messages: readonly ModelMessage[];
  tools: readonly FunctionTool[];
  toolChoice: ToolChoice | undefined;
  outputFormat: OutputFormat | undefined;
  temperature: number | undefined;
  topP: number | undefined;
  stop: readonly string[];
  reasoningEffort: 'none' | 'low' | 'medium' | 'high' | undefined;
  /** Tools that the provider runs on its own side; absent = none. */
  providerTools?: readonly ProviderTool[];
  /** False: one tool call at a time. Absent = as the provider likes. */
  parallelToolCalls?: boolean;
}

/** Tools that run at the provider, in the contract's words. */
export type ProviderToolType = 'web' | 'x_search' | 'code_execution';

export interface ProviderTool {
  type: ProviderToolType;
  /** As the client wrote them; each provider takes those it knows. */
  options: Readonly<Record<string, unknown>>;
}

export interface ModelMessage {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: readonly ContentPart[];
  toolCalls: readonly ToolCall[];
  toolCallId: string | undefined;
  /** Of an assistant message that some provider wrote in this very conversation: its own form of it. */
  continuation?: Continuation;
}

export interface FunctionTool {
  name: string;
  description: string | undefined;
  parameters: Record<string, unknown> | undefined;
}

/** Whether the answer has to be one JSON value. */
export function asksForJson(request: ModelRequest): boolean {
  return request.outputFormat !== undefined && request.outputFormat.type !== 'text';
}

/** All text of a message in order, without its files. */
export function textOf(message: ModelMessage): string {
  let text = '';
  for (const part of message.content) if (part.type === 'text') text += part.text;
  return text;
}

/** A message as it is counted: its text and the tool calls it carries. */
export function textOfMessage(message: ModelMessage): string {
  let text = textOf(message);
  for (const { function: fn } of message.toolCalls) text += fn ? fn.name + fn.arguments : '';
  return text;
}
