import type { Refused } from './plan-admission.js';

/** What an owner is told of a request that was refused for want of the owner's own money. */
export interface BlockFacts {
  refusalCode: string;
  requiredMicrocents: bigint;
  availableMicrocents: bigint;
  shortfallMicrocents: bigint;
}

/**
 * SPEC "account.admission_blocked": for an unfunded account the figures are those of the prepaid balance, for the daily
 * cap the projected spend of the day and the cap. Undefined where a refusal is no such event.
 */
export function blockFacts({ code, shortage }: Refused, capMicrocents: bigint | undefined): BlockFacts | undefined {
  if (shortage?.role === 'owner') return factsOf(code, shortage.required, shortage.available);
  if (shortage?.role !== 'daily_cap') return undefined;
  const cap = capMicrocents ?? 0n;
  const spentAndHeld = cap - shortage.available;
  return factsOf(code, spentAndHeld + shortage.required, cap);
}

function factsOf(refusalCode: string, required: bigint, available: bigint): BlockFacts {
  return {
    refusalCode,
    requiredMicrocents: required,
    availableMicrocents: available,
    shortfallMicrocents: required - available,
  };
}
