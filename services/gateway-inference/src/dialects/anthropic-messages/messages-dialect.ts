import { inputOfMessages, listMessagesTools, type MessagesBody } from '@tollgate/api/compatible';
import type { Dialect } from '../dialect.js';
import { messageAnswer, withUsage } from './message-resource.js';
import { findCapabilities } from './messages-capabilities.js';
import { MessagesStreamWriter } from './messages-stream-writer.js';
import { findParameters, toModelRequest } from './messages-to-model-request.js';

/** `POST /v1/messages`. */
export const messagesDialect: Dialect<MessagesBody> = {
  forwardable: 'anthropic-messages',
  // The vendor does not allow dots in tool names.
  canForward: (body) => !listMessagesTools(body).some(({ name }) => name?.includes('.')),
  capabilities: findCapabilities,
  toModelRequest,
  parameters: findParameters,
  isReasoningOff: ({ thinking }) => thinking?.type === 'disabled',
  input: inputOfMessages,
  modelName: (body, modelId) => body.model ?? modelId,
  writeAnswer: messageAnswer,
  withUsage,
  openStream: (info, _body, countInput) => new MessagesStreamWriter(info, countInput),
};
