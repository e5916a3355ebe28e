import { AppError } from '@tollgate/errors';
import type { ModelMessage } from '../../domain/model-request.js';

/**
 * Makes the last system message the user's if the conversation has no other message: these vendors need one. The text is
 * moved, not repeated, so that the input has as many tokens as the client sent. @throws AppError if all messages are empty
 */
export function ensureTurn(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  if (messages.some((message) => message.role !== 'system' && hasContent(message))) return messages;
  const last = messages.findLastIndex(hasContent);
  if (last === -1) {
    const message = 'this model needs a message with content';
    throw new AppError('MODEL_CAPABILITY_UNSUPPORTED', message, { fields: [{ field: 'input', message }] });
  }
  return messages.map((message, i) => (i === last ? { ...message, role: 'user' } : message));
}

/** The result of a call counts even if it is empty. */
function hasContent({ role, content, toolCalls, continuation }: ModelMessage): boolean {
  if (role === 'tool' || toolCalls.length > 0 || continuation !== undefined) return true;
  return content.some((part) => part.type !== 'text' || part.text !== '');
}
