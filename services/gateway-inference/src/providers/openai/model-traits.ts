import type { ProviderId } from '@tollgate/api/model-requests';
import { type ModelMessage, type ModelRequest, messageText } from '../../domain/model-request.js';
import type { CalledModel, ModelCall } from '../contract/provider.js';
import { orderMessages } from '../convert/conversation.js';

/** The parameters that a call of a model accepts. */
export interface ModelTraits {
  /** Whether it accepts only the newer name of the output bound. */
  hasNewerBound: boolean;
  /** Temperature, `top_p`, log probabilities and penalties. */
  hasSampling: boolean;
  /** Most stop sequences; the service watches for others. */
  stopsMax: number;
}

const STOPS_MAX = 4;
/** OpenAI's own models that reason, also behind the name of a relay: `openai/gpt-5.5`. */
const REASONING = /^(?:.*\/)?(?:o\d|gpt-[56])/;
/** Those that do not reason unless they are asked to. */
const RESTING = /^(?:.*\/)?gpt-5\.[1-4]\b/;

/**
 * Returns what a model accepts, wherever it is served: by its record and its names, not by the server's address. The name at the server
 * may be that of a deployment, so the name in the catalog counts as well.
 *
 * Sources: developers.openai.com/api/docs/guides/{reasoning,latest-model} (parameter compatibility) and the reference of chat
 * completions (`stop`); docs.x.ai/docs/guides/reasoning (parameters that reasoning models lack).
 */
export function findTraits(
  { upstreamModel, modelId, reasons, isReasoningOff }: CalledModel,
  id: ProviderId,
): ModelTraits {
  const names = [upstreamModel, modelId].filter((name) => name !== undefined);
  const isOwn = id === 'openai' && names.some((name) => REASONING.test(name) && !name.includes('chat'));
  const rests = isReasoningOff || names.some((name) => RESTING.test(name));
  return {
    hasNewerBound: isOwn || (id === 'openai' && reasons),
    hasSampling: !isOwn || rests,
    stopsMax: isOwn || (id === 'xai' && reasons) ? 0 : STOPS_MAX,
  };
}

/** Returns what the model of a converted call accepts. */
export function findCallTraits({ upstreamModel, modelId, reasons, request }: ModelCall, id: ProviderId): ModelTraits {
  const isReasoningOff = request().reasoningEffort === 'none';
  return findTraits({ upstreamModel, modelId, reasons, isReasoningOff }, id);
}

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
