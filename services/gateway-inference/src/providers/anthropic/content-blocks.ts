import type { AnswerToolCall } from '../../domain/model-answer.js';
import { type CitationList, type Json, objectsOf } from '../convert/answer-reading.js';
import type { ToolNames } from '../convert/tool-names.js';

/** A call of one of the client's tools. */
export function isToolUse(block: Json): boolean {
  return block.type === 'tool_use';
}

/** Code that the vendor has run on its side. */
export function isCodeRun(block: Json): boolean {
  const { type, name } = block;
  return type === 'server_tool_use' && typeof name === 'string' && name.endsWith('code_execution');
}

export function toToolCall(block: Json, names: ToolNames): AnswerToolCall {
  const name = String(block.name ?? '');
  return { id: String(block.id ?? ''), name: names.original(name), arguments: JSON.stringify(block.input ?? {}) };
}

/** Pages that the text leans on. */
export function addCitations(citations: CitationList, list: unknown): void {
  for (const { type, url, title } of objectsOf(list)) {
    if (type === 'web_search_result_location') citations.add(url, title);
  }
}
