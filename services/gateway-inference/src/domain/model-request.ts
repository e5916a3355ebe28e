import type { ContentPart, OutputFormat, ToolCall, ToolChoice } from '@tollgate/api';

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
}

export interface ModelMessage {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: readonly ContentPart[];
  toolCalls: readonly ToolCall[];
  toolCallId: string | undefined;
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
