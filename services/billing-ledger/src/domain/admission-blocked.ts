import type { Refused } from './plan-admission.js';

/** Figures of a request that was refused because the owner's own funds do not cover it. */
export interface BlockInfo {
  refusalCode: string;
  requiredMicrocents: bigint;
  availableMicrocents: bigint;
  shortfallMicrocents: bigint;
}

/**
 * Returns the figures of SPEC "account.admission_blocked": the prepaid balance of an unfunded account, or the projected
 * spend of the day and the daily cap. Returns undefined for refusals that emit no such event.
 */
export function toBlockInfo({ code, shortage }: Refused, capMicrocents: bigint | undefined): BlockInfo | undefined {
  if (shortage?.role === 'owner') return blockInfo(code, shortage.required, shortage.available);
  if (shortage?.role !== 'daily_cap') return undefined;
  const cap = capMicrocents ?? 0n;
  const spentAndHeld = cap - shortage.available;
  return blockInfo(code, spentAndHeld + shortage.required, cap);
}

function blockInfo(refusalCode: string, required: bigint, available: bigint): BlockInfo {
  return {
    refusalCode,
    requiredMicrocents: required,
    availableMicrocents: available,
    shortfallMicrocents: required - available,
  };
}
