import type { ModelAnswer, TokenUsage } from '../../domain/model-answer.js';
import { CitationList, type Json, objectsOf, textOrUndefined } from '../answer-reading.js';
import type { ToolNames } from '../tool-names.js';
import { addCitations, isCodeRun, isToolUse, toToolCall } from './content-blocks.js';
import { toStopReason } from './stop-reason.js';
import { toTokenUsage } from './usage.js';

/** Parsed body of a message → our answer; undefined when it is none. */
export function toAnswer(body: Json, names: ToolNames, upstreamModel: string): ModelAnswer | undefined {
  if (!Array.isArray(body.content)) return undefined;
  const blocks = objectsOf(body.content);
  const citations = new CitationList();
  for (const block of blocks) addCitations(citations, block.citations);
  const found = citations.all();
  const calls = blocks.filter(isToolUse);
  return {
    responseId: textOrUndefined(body.id) ?? '',
    stopReason: toStopReason(textOrUndefined(body.stop_reason) ?? 'stop'),
    text: blocks.map((block) => (block.type === 'text' ? (textOrUndefined(block.text) ?? '') : '')).join(''),
    toolCalls: calls.map((block) => toToolCall(block, names)),
    usage: withCodeRuns(toTokenUsage(body.usage), blocks),
    ...(found ? { citations: found } : {}),
    ...(calls.length > 0 ? { continuation: { provider: 'anthropic', upstreamModel, content: blocks } } : {}),
  };
}

/** The vendor charges for the container, however often code ran in it. */
export function withCodeRuns(usage: TokenUsage | undefined, blocks: readonly Json[]): TokenUsage | undefined {
  return usage && blocks.some(isCodeRun) ? { ...usage, codeRuns: 1 } : usage;
}
