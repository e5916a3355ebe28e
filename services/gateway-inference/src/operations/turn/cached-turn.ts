import type { GenerateRequest } from '@tollgate/contracts/inference/v1/inference_pb.js';
import type { Context } from '../../context.js';
import { toCacheKey } from '../../domain/cache-key.js';
import type { ModelAnswer } from '../../domain/model-answer.js';
import { listLinkedImages } from '../../domain/model-request.js';
import { isForwardOnly } from '../../domain/optional-parameters.js';
import { ReplayProvider } from '../../providers/replay-provider.js';
import type { CallTranscript } from './tool-loop.js';
import type { TurnPlan } from './turn-plan.js';

/**
 * Looks the request up in the response cache. Returns a plan that replays the cached answer, or the plan with the key to
 * cache its answer under. Only repeatable answers are cached: temperature 0, and no tool of the service, whose results
 * change over time.
 */
export async function useCache(
  ctx: Pick<Context, 'responseCache'>,
  req: GenerateRequest,
  plan: TurnPlan,
): Promise<TurnPlan> {
  if (plan.tools || req.returnsToolCalls || plan.toolContext || !isRepeatable(plan)) return plan;
  const { projectId, customerId } = plan.call.requirePrincipal();
  const { dialect, modelId } = req;
  const { body, conversation } = plan;
  const { maxOutputTokens } = conversation;
  const cacheKey = toCacheKey({ projectId, customerId, dialect, modelId, maxOutputTokens, body });
  const cached = await ctx.responseCache.get(cacheKey);
  if (!cached) return { ...plan, cacheKey };
  const provider = new ReplayProvider(cached);
  const routes = [{ provider, connection: provider.id, upstreamModel: plan.model.model_id }];
  return { ...plan, cacheKey, routes, executionOrigin: 'response_cache' };
}

/** Stores the answer for identical requests, in the background: the client does not wait for the cache. */
export function storeAnswer(
  ctx: Pick<Context, 'responseCache'>,
  plan: TurnPlan,
  answer: ModelAnswer,
  transcript: CallTranscript,
): void {
  const { cacheKey, info } = plan;
  // A repeat of it would not name the dropped parameters.
  if (cacheKey === undefined || info.droppedParameters) return;
  const { responseId, stopReason, usage, citations } = answer;
  const { text, toolCalls } = transcript.isEmpty ? answer : { text: transcript.text, toolCalls: transcript.calls };
  const stored = { responseId, stopReason, text, toolCalls, usage, ...(citations && { citations }) };
  ctx.responseCache.put(cacheKey, { provider: info.provider, answer: stored }).catch(() => undefined);
}

/** Returns false for a request that can only be forwarded; if no provider can forward it, the turn reports why. */
function isRepeatable(plan: TurnPlan): boolean {
  if (plan.parameters.some(isForwardOnly)) return false;
  try {
    const request = plan.conversation.request();
    // The content behind a URL may change.
    return request.temperature === 0 && listLinkedImages(request).length === 0;
  } catch {
    return false;
  }
}
