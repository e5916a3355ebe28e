import type { GenerateRequest } from '@tollgate/contracts/inference/v1/inference_pb.js';
import type { Context } from '../../context.js';
import { cacheKeyOf } from '../../domain/cache-key.js';
import type { ModelAnswer } from '../../domain/model-answer.js';
import { ReplayProvider } from '../../providers/replay-provider.js';
import type { CallTranscript } from './call-transcript.js';
import type { TurnPlan } from './turn-plan.js';

/**
 * Turns the plan of an exact repeat into a replay, and marks others whose answer is to be kept. Only what a provider would
 * answer alike is kept: temperature 0, and no tool of the service, whose results change with the world.
 */
export async function useCache(ctx: Context, req: GenerateRequest, plan: TurnPlan): Promise<void> {
  if (plan.tools || req.returnsToolCalls || plan.toolContext || !isRepeatable(plan)) return;
  const { projectId, customerId } = plan.call.requirePrincipal();
  const { dialect, modelId } = req;
  const { maxOutputTokens, body } = plan;
  plan.cacheKey = cacheKeyOf({ projectId, customerId, dialect, modelId, maxOutputTokens, body });
  const kept = await ctx.responseCache.get(plan.cacheKey);
  if (!kept) return;
  const provider = new ReplayProvider(kept);
  plan.isReplay = true;
  plan.facts.provider = provider.id;
  plan.routes = [{ provider, upstreamModel: plan.model.model_id }];
}

/** Keeps an answer for exact repeats of its request. The client does not wait for the cache. */
export function keepAnswer(ctx: Context, plan: TurnPlan, answer: ModelAnswer, told: CallTranscript): void {
  const { cacheKey, facts } = plan;
  if (cacheKey === undefined) return;
  const { responseId, stopReason, usage, citations } = answer;
  const { text, toolCalls } = told.isEmpty ? answer : { text: told.text, toolCalls: told.calls };
  const kept = { responseId, stopReason, text, toolCalls, usage, ...(citations && { citations }) };
  ctx.responseCache.put(cacheKey, { provider: facts.provider, answer: kept }).catch(() => undefined);
}

/** What cannot be put into our words can only be forwarded; where it cannot be, the turn says why. */
function isRepeatable(plan: TurnPlan): boolean {
  try {
    return plan.request().temperature === 0;
  } catch {
    return false;
  }
}
