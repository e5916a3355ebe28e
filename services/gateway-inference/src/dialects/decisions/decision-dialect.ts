import type { ChatMessage } from '@tollgate/api/compatible';
import {
  type DecisionsBody,
  decisionInstructions,
  decisionSchema,
  inputOfDecision,
} from '@tollgate/api/model-requests';
import { AppError } from '@tollgate/errors';
import type { ModelAnswer, TokenUsage } from '../../domain/model-answer.js';
import type { ModelRequest } from '../../domain/model-request.js';
import { nativeUsage } from '../../domain/usage.js';
import type { Capability, Dialect } from '../dialect.js';
import { findCapabilities as capabilitiesOfChat, toModelMessages } from '../openai-chat/chat-dialect.js';
import { refused } from '../refused.js';

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

interface Decision {
  id: string;
  confidence: number;
  reason: string;
}

/** Returns the model's choice as JSON. @throws AppError INVALID_OUTPUT if it is not one of the options */
export function decisionAnswer(answer: ModelAnswer, usage: TokenUsage, body: DecisionsBody): string {
  const decision = readDecision(answer.text);
  if (!decision || !body.options.some(({ id }) => id === decision.id)) {
    const why = answer.stopReason === 'max_tokens' ? ': its answer did not fit into max_output_tokens' : '';
    throw new AppError('INVALID_OUTPUT', `the model did not choose one of the options${why}`);
  }
  return JSON.stringify({ decision, usage: nativeUsage(usage) });
}

function readDecision(text: string): Decision | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { id, confidence, reason } = value as Partial<Record<keyof Decision, unknown>>;
  if (typeof id !== 'string') return undefined;
  return { id, confidence: clamp(Number(confidence)), reason: typeof reason === 'string' ? reason : '' };
}

/** Limits the model's own estimate to its range. Returns undefined if it is not a number. */
function clamp(value: number): number {
  return Number.isNaN(value) ? 0 : Math.min(1, Math.max(0, value));
}
