import type { ChatCompletionsBody } from '@tollgate/api/compatible';
import { inputOfChat } from '@tollgate/api/model-requests';
import type { Dialect } from '../dialect.js';
import { isRefusedName } from '../refused-name.js';
import { chatAnswer, withUsage } from './chat-answer.js';
import { findCapabilities } from './chat-capabilities.js';
import { ChatStreamWriter } from './chat-stream-writer.js';
import { findParameters, toModelRequest } from './chat-to-model-request.js';

/** `POST /v1/chat/completions`. */
export const chatDialect: Dialect<ChatCompletionsBody> = {
  forwardable: 'openai-chat',
  canForward: ({ tools }) => !tools?.some(({ function: fn }) => isRefusedName(fn.name)),
  capabilities: findCapabilities,
  toModelRequest,
  parameters: findParameters,
  isReasoningOff: ({ reasoning_effort: effort }) => effort === 'none',
  countStops: ({ stop }) => (Array.isArray(stop) ? stop.length : stop ? 1 : 0),
  answers: ({ n }) => n ?? 1,
  input: inputOfChat,
  modelName: (body, modelId) => body.model ?? modelId,
  writeAnswer: chatAnswer,
  withUsage,
  openStream: (info, body) => new ChatStreamWriter(info, body.stream_options?.include_usage === true),
};
