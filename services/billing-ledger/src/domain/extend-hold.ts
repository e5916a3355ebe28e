import { type Availability, decideAdmission } from './decide-admission.js';
import { applicableLimits, type Hold, type HoldLeg, heldMicrocents, unheldLimits } from './hold.js';
import { type AdmissionPlan, isBeyondBounds, outputTokens, type Refused, toPayers } from './plan-admission.js';
import { type ModelBounds, NO_EXTRAS, type Price, type RequestExtras } from './price.js';
import type { Subject } from './subject.js';

/** A later model call of an admitted request. */
export interface ExtensionInput {
  /** 1 for the second model call of the turn, and so on. */
  extension: number;
  inputTokensEstimate: number;
  maxOutputTokens: number | undefined;
  extras?: RequestExtras | undefined;
  findBounds(modelId: string): ModelBounds;
}

export interface Extended {
  kind: 'extended';
  /** The hold including the extension. */
  hold: Hold;
  /** The legs that this extension added. */
  added: readonly HoldLeg[];
}

/**
 * Extends a hold under the limits and prices of its admission, all or nothing. Repeating an extension adds nothing. The
 * call belongs to the same request, so limits that count requests do not count it again.
 */
export function extendHold(hold: Hold, input: ExtensionInput, available: Availability): Extended | Refused {
  if (hold.terms.extensions?.[input.extension]) return { kind: 'extended', hold, added: [] };
  const limits = applicableLimits(hold);
  const plan = planExtension(hold, limits, input);
  if (isBeyondBounds(plan))
    return { kind: 'refused', code: 'INVALID_INPUT', message: 'the model call exceeds the maximum size of a request' };
  const decision = decideAdmission(plan, available);
  if (decision.kind === 'refused') return decision;
  const legs = merge(hold.legs, decision.legs);
  const spare = unheldLimits(limits, legs);
  const extension = {
    inputTokens: input.inputTokensEstimate,
    outputTokens: Number(decision.outputTokens),
    ...(plan.feeMicrocents > 0n && { feeMicrocents: plan.feeMicrocents.toString() }),
    heldMicrocents: heldMicrocents(legs).toString(),
  };
  const terms = {
    ...hold.terms,
    // The whole hold is bounded by the dearest of its calls.
    providerPrice: plan.providerPrice,
    spare,
    extensions: { ...hold.terms.extensions, [input.extension]: extension },
  };
  return { kind: 'extended', hold: { ...hold, revision: hold.revision + 1, legs, terms }, added: decision.legs };
}

function planExtension({ terms }: Hold, limits: Subject['accounts'], input: ExtensionInput): AdmissionPlan {
  const { customerPrice, modelId } = terms;
  const { extras = NO_EXTRAS, inputTokensEstimate } = input;
  const { outputBounds, ...model } = input.findBounds(modelId);
  const bound = dearest(terms.providerPrice, model.toPriceBound(inputTokensEstimate, extras));
  const providerPrice = { ...terms.providerPrice, bound };
  return {
    modelId,
    customerPrice,
    providerPrice,
    inputTokens: BigInt(inputTokensEstimate),
    images: 0n,
    feeMicrocents: model.toFeeMicrocents(extras),
    isEstimateLoose: false,
    ...outputTokens(input.maxOutputTokens, outputBounds),
    // Counts no units, because the request was counted by its admission.
    payers: toPayers(limits, customerPrice, providerPrice, 0n),
  };
}

function dearest({ bound: before }: Price, bound: Price['bound']): Price['bound'] {
  if (!before || !bound) return bound ?? before;
  return {
    inputPerMillionCents: larger(before.inputPerMillionCents, bound.inputPerMillionCents),
    outputPerMillionCents: larger(before.outputPerMillionCents, bound.outputPerMillionCents),
  };
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function merge(legs: readonly HoldLeg[], added: readonly HoldLeg[]): HoldLeg[] {
  const merged = legs.map((leg) => ({ ...leg }));
  for (const leg of added) {
    const known = merged.find(({ account }) => account === leg.account);
    if (known) known.amount += leg.amount;
    else merged.push(leg);
  }
  return merged;
}
