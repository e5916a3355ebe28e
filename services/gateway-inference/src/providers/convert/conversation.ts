import { AppError } from '@tollgate/errors';
import type { ModelMessage, ModelPart } from '../../domain/model-request.js';

/** Takes the place of a turn that a vendor requires and the conversation lacks. It has one token. */
export const FILLER: ModelPart = { type: 'text', text: '.' };

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

/**
 * Puts the results of calls directly after the message that makes the calls, as vendors require; messages between them follow
 * the results. Leaves out assistant messages without content, such as those of which only the reasoning is lost.
 */
export function orderMessages(messages: readonly ModelMessage[]): ModelMessage[] {
  const results = placeResults(messages);
  const taken = new Set<number>();
  const ordered: ModelMessage[] = [];
  for (const [place, message] of messages.entries()) {
    if (taken.has(place) || (message.role === 'assistant' && !hasContent(message))) continue;
    ordered.push(message);
    const found = message.toolCalls.flatMap(({ id }) => takeNext(results.get(id), place));
    for (const at of found.sort((a, b) => a - b)) {
      taken.add(at);
      ordered.push(messages[at]!);
    }
  }
  return ordered;
}

/** Returns the places of results by the ids of their calls, which some providers repeat. */
function placeResults(messages: readonly ModelMessage[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [place, { role, toolCallId = '' }] of messages.entries()) {
    if (role !== 'tool') continue;
    const known = places.get(toolCallId);
    if (known) known.push(place);
    else places.set(toolCallId, [place]);
  }
  return places;
}

/** Removes and returns the first place after a place. */
function takeNext(places: number[] | undefined, after: number): number[] {
  const at = places?.findIndex((place) => place > after) ?? -1;
  return at === -1 ? [] : places!.splice(at, 1);
}

/** Whether a message has more than empty texts. The result of a call counts even if it is empty. */
export function hasContent({ role, content, toolCalls, continuation }: ModelMessage): boolean {
  if (role === 'tool' || toolCalls.length > 0 || continuation !== undefined) return true;
  return content.some((part) => part.type !== 'text' || part.text !== '');
}

/**
 * Leaves texts of nothing but white space out, which a vendor refuses. The last message keeps its place: without it, the model would
 * continue the message before.
 */
export function withoutBlankTexts(messages: readonly ModelMessage[]): ModelMessage[] {
  const last = messages.length - 1;
  return messages.map((message, place) => {
    const content = message.content.filter((part) => part.type !== 'text' || part.text.trim() !== '');
    if (content.length === message.content.length) return message;
    const isLost = place === last && message.role === 'user' && content.length === 0;
    return { ...message, content: isLost && hasOthers(messages) ? [FILLER] : content };
  });
}

/** Whether anything but the last message has a text to answer. */
function hasOthers(messages: readonly ModelMessage[]): boolean {
  return messages.some(
    ({ role, content, toolCalls }) =>
      role !== 'system' &&
      (toolCalls.length > 0 || content.some((part) => part.type !== 'text' || part.text.trim() !== '')),
  );
}
