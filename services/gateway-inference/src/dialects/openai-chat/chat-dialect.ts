import type { ChatCompletionsBody } from '@tollgate/api/compatible';
import { inputOfChat } from '@tollgate/api/model-requests';
import type { Dialect } from '../dialect.js';
import { chatAnswer, withUsage } from './chat-answer.js';
import { findCapabilities } from './chat-capabilities.js';
import { ChatStreamWriter } from './chat-stream-writer.js';
import { findParameters, toModelRequest } from './chat-to-model-request.js';

/** `POST /v1/chat/completions`. */
export const chatDialect: Dialect<ChatCompletionsBody> = {
  forwardable: 'openai-chat',
  // The vendor does not allow dots in tool names.
  canForward: ({ tools }) => !tools?.some(({ function: fn }) => fn.name.includes('.')),
  capabilities: findCapabilities,
  toModelRequest,
  parameters: findParameters,
  answers: ({ n }) => n ?? 1,
  input: inputOfChat,
  modelName: (body, modelId) => body.model ?? modelId,
  writeAnswer: chatAnswer,
  withUsage,
  openStream: (info, body) => new ChatStreamWriter(info, body.stream_options?.include_usage === true),
};
