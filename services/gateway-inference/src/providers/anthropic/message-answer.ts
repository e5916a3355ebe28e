import type { ModelAnswer, TokenUsage } from '../../domain/model-answer.js';
import { CitationList, isObject, type Json, objectsOf, textOrUndefined } from '../convert/answer-reading.js';
import type { ToolNames } from '../convert/tool-names.js';
import { addCitations, isCodeRun, isToolUse, toToolCall } from './content-blocks.js';
import { continuationOf } from './message-continuation.js';
import { toStopReason } from './stop-reason.js';
import { toTokenUsage } from './usage.js';

/** What an answer is read by. */
export interface AskedMessage {
  upstreamModel: string;
  names: ToolNames;
  /** In which code has run before, for which the vendor has charged. */
  container?: string | undefined;
}

/** Parsed body of a message → our answer; undefined when it is none. */
export function toAnswer(body: Json, { upstreamModel, names, container }: AskedMessage): ModelAnswer | undefined {
  if (!Array.isArray(body.content)) return undefined;
  const blocks = objectsOf(body.content);
  const citations = new CitationList();
  for (const block of blocks) addCitations(citations, block.citations);
  const found = citations.all();
  const calls = blocks.filter(isToolUse);
  return {
    responseId: textOrUndefined(body.id) ?? '',
    stopReason: toStopReason(textOrUndefined(body.stop_reason) ?? 'stop'),
    ...(typeof body.stop_sequence === 'string' ? { stopSequence: body.stop_sequence } : {}),
    text: blocks.map((block) => (block.type === 'text' ? (textOrUndefined(block.text) ?? '') : '')).join(''),
    toolCalls: calls.map((block) => toToolCall(block, names)),
    usage: withCodeRuns(toTokenUsage(body.usage), isSame(body.container, container) ? [] : blocks),
    ...(found ? { citations: found } : {}),
    ...continuationOf(upstreamModel, {
      blocks,
      hasCalls: calls.length > 0,
      stopReason: body.stop_reason,
      container: body.container,
    }),
  };
}

/** Whether the vendor has gone on in the same container. */
export function isSame(container: unknown, id: string | undefined): boolean {
  return id !== undefined && isObject(container) && container.id === id;
}

/** The vendor charges for the container, however often code ran in it. */
export function withCodeRuns(usage: TokenUsage | undefined, blocks: readonly Json[]): TokenUsage | undefined {
  return usage && blocks.some(isCodeRun) ? { ...usage, codeRuns: 1 } : usage;
}
