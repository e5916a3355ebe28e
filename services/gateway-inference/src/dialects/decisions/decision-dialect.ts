import type { ChatMessage } from '@tollgate/api/compatible';
import {
  type DecisionsBody,
  decisionInstructions,
  decisionSchema,
  inputOfDecision,
} from '@tollgate/api/model-requests';
import type { ModelRequest } from '../../domain/model-request.js';
import type { Capability, Dialect } from '../dialect.js';
import { findCapabilities as capabilitiesOfChat } from '../openai-chat/chat-capabilities.js';
import { toModelMessages } from '../openai-chat/chat-to-model-request.js';
import { refused } from '../refused.js';
import { decisionAnswer } from './decision-answer.js';

/** `POST /v1/decisions`: a choice between options, made by structured output. */
export const decisionDialect: Dialect<DecisionsBody> = {
  forwardable: undefined,
  capabilities: (body): Capability[] => [
    ...capabilitiesOfChat({ messages: toChatMessages(body) }),
    'structured_output',
  ],
  toModelRequest,
  input: inputOfDecision,
  modelName: (body, modelId) => body.model ?? modelId,
  writeAnswer: (_facts, answer, usage, body) => decisionAnswer(answer, usage, body),
  openStream: () => {
    throw refused('stream', 'decisions are not streamed');
  },
};

function toModelRequest(body: DecisionsBody): ModelRequest {
  return {
    messages: toModelMessages([{ role: 'system', content: decisionInstructions(body) }, ...toChatMessages(body)]),
    tools: [],
    toolChoice: undefined,
    outputFormat: {
      type: 'json_schema',
      json_schema: { name: 'decision', schema: decisionSchema(body), strict: true },
    },
    temperature: body.temperature ?? undefined,
    topP: undefined,
    stop: [],
    reasoningEffort: body.reasoning_effort ?? undefined,
  };
}

function toChatMessages({ input }: DecisionsBody): ChatMessage[] {
  return typeof input === 'string' ? [{ role: 'user', content: input }] : input;
}
