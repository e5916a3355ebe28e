import { type ModelMessage, type ModelRequest, messageText } from '../../domain/model-request.js';
import { orderMessages } from '../convert/conversation.js';

const JSON_INSTRUCTION = 'Answer in JSON.';

/**
 * Returns the conversation in the order that OpenAI accepts. JSON without a schema is accepted only if a message speaks of JSON,
 * because the model may otherwise write white space without end.
 */
export function openAiMessages({ messages, outputFormat }: ModelRequest): readonly ModelMessage[] {
  const ordered = orderMessages(messages);
  const isMentioned = ordered.some((message) => /json/i.test(messageText(message)));
  if (outputFormat?.type !== 'json_object' || isMentioned) return ordered;
  const content = [{ type: 'text' as const, text: JSON_INSTRUCTION }];
  return [{ role: 'system', content, toolCalls: [], toolCallId: undefined }, ...ordered];
}
