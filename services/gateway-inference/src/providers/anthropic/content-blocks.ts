import type { AnswerToolCall } from '../../domain/model-answer.js';
import { argumentsText, type CitationList, filterObjects, type Json } from '../convert/answer-reading.js';
import type { ToolNames } from '../convert/tool-names.js';

/** Whether the block is a call of one of the client's tools. */
export function isToolUse(block: Json): boolean {
  return block.type === 'tool_use';
}

/** Whether the block is code that the vendor ran. */
export function isCodeRun(block: Json): boolean {
  const { type, name } = block;
  return type === 'server_tool_use' && typeof name === 'string' && name.endsWith('code_execution');
}

export function toToolCall(block: Json, names: ToolNames): AnswerToolCall {
  const name = String(block.name ?? '');
  return { id: String(block.id ?? ''), name: names.original(name), arguments: argumentsText(block.input) };
}

/** Adds the sources of a text. */
export function addCitations(citations: CitationList, list: unknown): void {
  for (const { type, url, title } of filterObjects(list)) {
    if (type === 'web_search_result_location') citations.add(url, title);
  }
}
