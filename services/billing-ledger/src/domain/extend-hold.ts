import { decideAdmission } from './decide-admission.js';
import { type Hold, type HoldLeg, heldMicrocents, limitsOf, spareLimits } from './hold.js';
import {
  type AdmissionPlan,
  isBeyondBounds,
  type OutputBounds,
  outputTokens,
  payersOf,
  type Refused,
} from './plan-admission.js';
import type { Subject } from './subject.js';

/** A further model call of an admitted request. */
export interface ExtensionInput {
  /** 1 for the second model call of the turn, and so on. */
  extension: number;
  inputTokensEstimate: number;
  maxOutputTokens: number | undefined;
  outputBoundsOf(modelId: string): OutputBounds;
}

export interface Extended {
  kind: 'extended';
  /** As it is held now. */
  hold: Hold;
  /** What this extension added. */
  added: readonly HoldLeg[];
}

/**
 * Under the same limits and prices as the admission, all or nothing. The same extension again adds nothing. The further
 * call belongs to the same request: it counts no second time against limits that count requests.
 */
export function extendHold(
  hold: Hold,
  input: ExtensionInput,
  available: (account: bigint) => bigint | undefined,
): Extended | Refused {
  if (hold.terms.extensions?.[input.extension]) return { kind: 'extended', hold, added: [] };
  const limits = limitsOf(hold);
  const plan = planExtension(hold, limits, input);
  if (isBeyondBounds(plan))
    return { kind: 'refused', code: 'INVALID_INPUT', message: 'the model call is larger than any may be' };
  const decision = decideAdmission(plan, limits, available);
  if (decision.kind === 'refused') return decision;
  const legs = merge(hold.legs, decision.legs);
  const spare = spareLimits(limits, legs);
  const extension = {
    inputTokens: input.inputTokensEstimate,
    outputTokens: Number(decision.outputTokens),
    heldMicrocents: heldMicrocents(legs).toString(),
  };
  const terms = {
    ...hold.terms,
    spare,
    extensions: { ...hold.terms.extensions, [input.extension]: extension },
  };
  return { kind: 'extended', hold: { ...hold, revision: hold.revision + 1, legs, terms }, added: decision.legs };
}

function planExtension({ terms }: Hold, limits: Subject['accounts'], input: ExtensionInput): AdmissionPlan {
  const { customerPrice, providerPrice, modelId } = terms;
  return {
    modelId,
    customerPrice,
    providerPrice,
    inputTokens: BigInt(input.inputTokensEstimate),
    images: 0n,
    isEstimateLoose: false,
    ...outputTokens(input.maxOutputTokens, input.outputBoundsOf(modelId)),
    // The same request: it does not count again.
    payers: payersOf(limits, customerPrice, providerPrice, 0n),
  };
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
