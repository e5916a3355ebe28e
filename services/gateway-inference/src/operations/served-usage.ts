import { type CatalogModel, likelyInputTokens, likelyOutputTokens, toolFeeTokens } from '@tollgate/catalog';
import type { TokenUsage } from '../domain/model-answer.js';
import { NOTHING_SERVED, type ServedUsage } from '../domain/usage.js';
import type { TurnPlan } from './turn-plan.js';

/** What a call that ended well is settled with: the provider's figure, else our own count. */
export function usageOfAnswer(plan: TurnPlan, figure: TokenUsage | undefined, output: string): ServedUsage {
  // Servers that do not count report zeros.
  const hasCounted = figure !== undefined && figure.inputTokens + figure.outputTokens > 0;
  return hasCounted ? withToolFees(plan.model, { ...figure, isEstimated: false }) : estimate(plan, output);
}

/** What the provider charges for its own tools by the piece, as input tokens that cost as much. */
function withToolFees(model: CatalogModel, usage: ServedUsage): ServedUsage {
  const fee = toolFeeTokens(model, usage);
  return fee === 0 ? usage : { ...usage, inputTokens: usage.inputTokens + fee };
}

/**
 * What a call that broke off is settled with. Output that was delivered is never free; where none was, only what the
 * provider itself has counted is charged, and the input of a stream that it had begun (`hasBegun`) and we cut.
 */
export function usageSoFar(
  plan: TurnPlan,
  figure: TokenUsage | undefined,
  output: string,
  hasBegun: boolean,
): ServedUsage {
  if (output === '' && !hasBegun) return figure ? { ...figure, isEstimated: true } : NOTHING_SERVED;
  const own = estimate(plan, output);
  if (!figure) return own;
  const outputTokens = Math.max(figure.outputTokens, own.outputTokens);
  return withToolFees(plan.model, { ...figure, outputTokens, isEstimated: true });
}

function estimate(plan: TurnPlan, output: string): ServedUsage {
  return {
    ...NOTHING_SERVED,
    inputTokens: likelyInput(plan),
    outputTokens: likelyOutputTokens(plan.model, output),
    isEstimated: true,
  };
}

/** Our own count of the input: not more than what the hold was made for. */
export function likelyInput(plan: TurnPlan): number {
  const likely = likelyInputTokens(plan.model, plan.input());
  return plan.inputTokensEstimate > 0 ? Math.min(likely, plan.inputTokensEstimate) : likely;
}
