import type { Continuation } from '../../domain/model-answer.js';
import type { ModelMessage } from '../../domain/model-request.js';
import { isObject, type Json, textOrUndefined } from '../convert/answer-reading.js';

/** A message as the vendor wrote it, to be sent back when the conversation goes on. */
interface KeptMessage {
  blocks: readonly Json[];
  /** In which the vendor has run code; what goes on, goes on there. */
  container?: string;
}

const PAUSED = 'pause_turn';

/** What is to be kept of a message that is not the last word: one that calls tools, or was paused by the vendor. */
export function continuationOf(
  upstreamModel: string,
  message: { blocks: readonly Json[]; hasCalls: boolean; stopReason: unknown; container: unknown },
): { continuation?: Continuation } {
  const { blocks, hasCalls, stopReason, container } = message;
  if (!hasCalls && stopReason !== PAUSED) return {};
  const id = isObject(container) ? textOrUndefined(container.id) : undefined;
  const content: KeptMessage = { blocks, ...(id === undefined ? {} : { container: id }) };
  return { continuation: { provider: 'anthropic', upstreamModel, content } };
}

/** The message in the vendor's form, where this vendor and model wrote it. */
export function keptMessageOf({ continuation }: ModelMessage, upstreamModel: string): KeptMessage | undefined {
  if (continuation?.provider !== 'anthropic' || continuation.upstreamModel !== upstreamModel) return undefined;
  return continuation.content as KeptMessage;
}

/** Where code has run last in this conversation. */
export function containerOf(messages: readonly ModelMessage[], upstreamModel: string): string | undefined {
  return messages.map((message) => keptMessageOf(message, upstreamModel)?.container).findLast((id) => id !== undefined);
}
