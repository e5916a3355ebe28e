import type { ProviderId } from '@tollgate/api/model-requests';
import type { CalledModel, ModelCall } from '../contract/provider.js';

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
