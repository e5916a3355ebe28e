import { type CompletionsBody, completionPrompt, inputOfCompletion } from '@tollgate/api/compatible';
import type { ModelAnswer, TokenUsage } from '../../domain/model-answer.js';
import type { ModelRequest } from '../../domain/model-request.js';
import { isNotZero, isSet, listCommon, type RequestedParameter, toSampling } from '../../domain/optional-parameters.js';
import type { TurnInfo } from '../../domain/turn-info.js';
import type { Dialect } from '../dialect.js';
import { chatUsage } from '../openai-chat/chat-answer.js';
import { textParts } from '../text-parts.js';
import { answerText, CompletionsStreamWriter, completionHead, completionReason } from './completions-stream-writer.js';

/** `POST /v1/completions`: the prompt is the only message of a chat, whose answer is the completion. */
export const completionsDialect: Dialect<CompletionsBody> = {
  forwardable: undefined,
  capabilities: () => [],
  toModelRequest,
  parameters: findParameters,
  input: inputOfCompletion,
  modelName: (body, modelId) => body.model ?? modelId,
  writeAnswer,
  openStream: (info, body) => new CompletionsStreamWriter(info, body.stream_options?.include_usage === true),
};

function toModelRequest(body: CompletionsBody): ModelRequest {
  const { temperature, top_p: topP, stop } = body;
  return {
    messages: [{ role: 'user', content: textParts(completionPrompt(body)), toolCalls: [], toolCallId: undefined }],
    tools: [],
    toolChoice: undefined,
    outputFormat: undefined,
    temperature: temperature ?? undefined,
    topP: topP ?? undefined,
    stop: typeof stop === 'string' ? [stop] : (stop ?? []),
    reasoningEffort: undefined,
    ...toSampling(findParameters(body)),
  };
}

function findParameters(body: CompletionsBody): RequestedParameter[] {
  const { frequency_penalty: frequency, presence_penalty: presence, seed, top_k: topK, logit_bias: bias } = body;
  const found: RequestedParameter[] = [];
  const add = (parameter: RequestedParameter['parameter'], value: unknown, asksForIt: boolean): void => {
    if (asksForIt) found.push({ parameter, field: parameter, value });
  };
  add('frequency_penalty', frequency, isNotZero(frequency));
  add('logit_bias', bias, typeof bias === 'object' && bias !== null && Object.keys(bias).length > 0);
  add('presence_penalty', presence, isNotZero(presence));
  add('seed', seed, isSet(seed));
  add('top_k', topK, typeof topK === 'number' && topK > 0);
  return [...found, ...listCommon({ temperature: body.temperature, topP: body.top_p })];
}

function writeAnswer(info: TurnInfo, answer: ModelAnswer, usage: TokenUsage): string {
  const choice = {
    index: 0,
    text: answerText(answer),
    logprobs: null,
    finish_reason: completionReason(answer.stopReason),
  };
  return JSON.stringify({ ...completionHead(info), choices: [choice], usage: chatUsage(usage) });
}
