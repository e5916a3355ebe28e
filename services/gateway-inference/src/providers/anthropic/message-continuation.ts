import type { Continuation } from '../../domain/model-answer.js';
import type { ModelMessage } from '../../domain/model-request.js';
import { isObject, type Json, textOrUndefined } from '../convert/answer-reading.js';

/** A message in the vendor's own form, sent back when the conversation continues. */
interface KeptMessage {
  blocks: readonly Json[];
  /** The container in which the vendor ran code; the conversation continues in it. */
  container?: string;
}

const PAUSED = 'pause_turn';

/** Returns the form in which to send back a message that calls tools or was paused by the vendor. */
export function toContinuation(
  upstreamModel: string,
  message: { blocks: readonly Json[]; hasCalls: boolean; stopReason: unknown; container: unknown },
): { continuation?: Continuation } {
  const { blocks, hasCalls, stopReason, container } = message;
  if (!hasCalls && stopReason !== PAUSED) return {};
  const id = isObject(container) ? textOrUndefined(container.id) : undefined;
  const content: KeptMessage = { blocks, ...(id === undefined ? {} : { container: id }) };
  return { continuation: { provider: 'anthropic', upstreamModel, content } };
}

/** Returns the message in the vendor's form, if this vendor and model wrote it. */
export function findKeptMessage({ continuation }: ModelMessage, upstreamModel: string): KeptMessage | undefined {
  if (continuation?.provider !== 'anthropic' || continuation.upstreamModel !== upstreamModel) return undefined;
  return continuation.content as KeptMessage;
}

/** Returns the container in which code ran last in this conversation. */
export function findContainer(messages: readonly ModelMessage[], upstreamModel: string): string | undefined {
  return messages
    .map((message) => findKeptMessage(message, upstreamModel)?.container)
    .findLast((id) => id !== undefined);
}
