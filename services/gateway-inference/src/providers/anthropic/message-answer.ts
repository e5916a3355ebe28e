import type { ModelAnswer, TokenUsage } from '../../domain/model-answer.js';
import {
  CitationList,
  filterObjects,
  isObject,
  type Json,
  textOrUndefined,
  withReasoning,
} from '../convert/answer-reading.js';
import type { ToolNames } from '../convert/tool-names.js';
import { addCitations, isCodeRun, isToolUse, toToolCall } from './content-blocks.js';
import { toContinuation } from './message-continuation.js';
import { toStopReason } from './stop-reason.js';
import { toTokenUsage } from './usage.js';

/** The request's properties that are needed to read its answer. */
export interface AskedMessage {
  upstreamModel: string;
  names: ToolNames;
  /** The container in which code ran before; the vendor has charged it. */
  container?: string | undefined;
}

/** Converts the parsed body of a message. Returns undefined if it is not a message. */
export function toAnswer(body: Json, { upstreamModel, names, container }: AskedMessage): ModelAnswer | undefined {
  if (!Array.isArray(body.content)) return undefined;
  const blocks = filterObjects(body.content);
  const citations = new CitationList();
  for (const block of blocks) addCitations(citations, block.citations);
  const found = citations.all();
  const calls = blocks.filter(isToolUse);
  return {
    responseId: textOrUndefined(body.id) ?? '',
    stopReason: toStopReason(textOrUndefined(body.stop_reason) ?? 'stop'),
    ...(typeof body.stop_sequence === 'string' ? { stopSequence: body.stop_sequence } : {}),
    text: blocks.map((block) => (block.type === 'text' ? (textOrUndefined(block.text) ?? '') : '')).join(''),
    ...withReasoning(blocks.map(({ thinking }) => textOrUndefined(thinking) ?? '').join('')),
    toolCalls: calls.map((block) => toToolCall(block, names)),
    usage: withCodeRuns(toTokenUsage(body.usage), isSame(body.container, container) ? [] : blocks),
    ...(found ? { citations: found } : {}),
    ...toContinuation(upstreamModel, {
      blocks,
      hasCalls: calls.length > 0,
      stopReason: body.stop_reason,
      container: body.container,
    }),
  };
}

/** Whether the vendor reused the same container. */
export function isSame(container: unknown, id: string | undefined): boolean {
  return id !== undefined && isObject(container) && container.id === id;
}

/** Adds code runs to usage. The vendor charges the container once, regardless of the runs in it. */
export function withCodeRuns(usage: TokenUsage | undefined, blocks: readonly Json[]): TokenUsage | undefined {
  return usage && blocks.some(isCodeRun) ? { ...usage, codeRuns: 1 } : usage;
}
